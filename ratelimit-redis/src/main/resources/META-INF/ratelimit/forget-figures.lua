-- Forgets the figures of a candidate.
--
-- KEYS: the hash of the sums; the sketch of the keys that were denied
-- ARGV: the number of the call alone

redis.call('DEL', KEYS[1], KEYS[2])
return call_number
