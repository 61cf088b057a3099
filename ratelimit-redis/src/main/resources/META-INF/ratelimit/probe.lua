-- Writes like a counting script, to fail where counting would fail. KEYS: a key that nothing else uses.
redis.call('SET', KEYS[1], '', 'PX', 1)
return call_number
