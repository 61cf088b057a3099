-- KEYS: a bucket. ARGV: the interval between calls and the burst, in microseconds
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local free = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now) + ARGV[1]
if free - now > tonumber(ARGV[2]) then
  return 0
end
redis.call('SET', KEYS[1], string.format('%.3f', free), 'PX', math.floor((free - now) / 1000) + 1)
return 1
