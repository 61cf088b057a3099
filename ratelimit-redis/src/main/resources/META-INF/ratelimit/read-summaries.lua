-- Reads the summaries that other instances have shared for a rule.
--
-- KEYS:  the hash, see share-summary.lua
-- ARGV:  the number of the instance that reads; the time in microseconds, or 0 for the clock of the server; the lifetime in
--        milliseconds
-- reply: per other instance, the microseconds since it shared its summary in 8 bytes, the length of the summary in 4 bytes, and the
--        summary

local hash, instance, now, lifetime = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
if now == 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
local reply = { call_number }
for _, field in ipairs(redis.call('HKEYS', hash)) do
  local other = string.sub(field, 2)
  if string.sub(field, 1, 1) == 't' and other ~= instance then
    local age = math.max(0, now - (tonumber(redis.call('HGET', hash, field)) or 0))
    local summary = redis.call('HGET', hash, 's' .. other)
    if summary and age < lifetime * 1000 then
      reply[#reply + 1] = struct.pack('>i8I4', age, #summary) .. summary
    end
  end
end
return table.concat(reply)
