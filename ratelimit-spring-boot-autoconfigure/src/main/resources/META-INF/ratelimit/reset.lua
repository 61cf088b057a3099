-- Deletes counts. KEYS: one per count.
redis.call('DEL', unpack(KEYS))
return ''
