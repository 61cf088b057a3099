-- Removes overrides of keys that have ended. Every instance knows the ends, so this is not recorded as a change.
--
-- KEYS:  the last one is the hash: the override of each key of the rule
-- ARGV:  the time in microseconds, 0 for that of the server; the keys
-- reply: empty

local time = redis.call('TIME')
local given = tonumber(ARGV[1])
local now = given ~= 0 and given / 1000 or time[1] * 1000 + time[2] / 1000
for i = 2, #ARGV do
  local override = redis.call('HGET', KEYS[#KEYS], ARGV[i])
  local ending = override and string.match(override, '^until=(%d+) ')
  if ending and tonumber(ending) <= now then
    redis.call('HDEL', KEYS[#KEYS], ARGV[i])
  end
end
return call_number
