-- Writes as counting does, so that it fails where counting would. KEYS: one that nothing else uses.
redis.call('SET', KEYS[1], '', 'PX', 1)
return ''
