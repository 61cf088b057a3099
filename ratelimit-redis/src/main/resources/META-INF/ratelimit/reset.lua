-- Deletes the counts of a key.
--
-- KEYS: one per count

redis.call('DEL', unpack(KEYS))
return call_number
