-- Reads the list of bans of a rule.
--
-- KEYS:  the list, see list-ban.lua
-- ARGV:  the time in microseconds, or 0 for the clock of the server
-- reply: the keys whose bans have not ended, in order of the ends, each after its length in 4 bytes

local now = tonumber(ARGV[1])
if now == 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
local reply = { call_number }
for _, key in ipairs(redis.call('ZRANGE', KEYS[1], '(' .. string.format('%.0f', now), '+inf', 'BYSCORE')) do
  reply[#reply + 1] = struct.pack('>I4', #key) .. key
end
return table.concat(reply)
