-- Adds a ban to the list of its rule. Those that have ended are removed and, of too many, those that end first.
--
-- KEYS:  the list, a sorted set: banned keys by the ends of their bans, in microseconds
-- ARGV:  the banned key; the end of the ban; the time in microseconds; the largest number of keys
-- reply: empty

local list, key, ends, now, most = KEYS[1], unpack(ARGV)
redis.call('ZADD', list, ends, key)
redis.call('ZREMRANGEBYSCORE', list, '-inf', now)
redis.call('ZREMRANGEBYRANK', list, 0, -1 - most)
local last = redis.call('ZRANGE', list, -1, -1, 'WITHSCORES')[2]
redis.call('PEXPIRE', list, string.format('%d', math.ceil((last - now) / 1000)))
return call_number
