-- Deletes the counts of a key. Stores the time of the reset for as long as they, or those of an earlier reset, would have counted, see
-- resets.lua.
--
-- KEYS: one per count, and that of the reset
-- ARGV: the time in microseconds, or 0 for the clock of the server

local now, lifetime = tonumber(ARGV[1]), 0
if now == 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
for i = 1, #KEYS do
  lifetime = math.max(lifetime, redis.call('PTTL', KEYS[i]))
end
redis.call('DEL', unpack(KEYS))
if lifetime > 0 then
  redis.call('SET', KEYS[#KEYS], struct.pack('>I7', now), 'PX', string.format('%d', lifetime))
end
return call_number
