-- Forgets what was counted. KEYS: one per limit.
redis.call('DEL', unpack(KEYS))
return ''
