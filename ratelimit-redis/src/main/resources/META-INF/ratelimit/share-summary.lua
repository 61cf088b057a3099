-- Shares the summary of an instance for a rule, instead of its earlier one. Instances that have shared nothing for a lifetime are
-- forgotten and, of too many, the one that has shared nothing for longest.
--
-- KEYS:  the hash: the summary of each instance under "s" and its number, the time of it in microseconds under "t" and its number
-- ARGV:  the number of the instance; the summary; the time in microseconds, or 0 for the clock of the server; the lifetime in
--        milliseconds; the largest number of instances
-- reply: empty

local hash, instance, summary, now, lifetime, most = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
if now == 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
redis.call('HSET', hash, 's' .. instance, summary, 't' .. instance, string.format('%d', now))
redis.call('PEXPIRE', hash, lifetime)
local known, oldest, first = 0, nil, now
for _, field in ipairs(redis.call('HKEYS', hash)) do
  if string.sub(field, 1, 1) == 't' then
    local shared = tonumber(redis.call('HGET', hash, field))
    if not shared or now - shared >= lifetime * 1000 then
      redis.call('HDEL', hash, field, 's' .. string.sub(field, 2))
    else
      known = known + 1
      if shared <= first then
        oldest, first = field, shared
      end
    end
  end
end
if known > most then
  redis.call('HDEL', hash, oldest, 's' .. string.sub(oldest, 2))
end
return call_number
