-- Reads the list of bans of a rule.
--
-- KEYS:  the list, see list-ban.lua
-- ARGV:  the time in microseconds, or 0 for the clock of the server
-- reply: per banned key, in order of the ends of the bans: the microseconds until then in 8 bytes, the length of the key in 4 bytes,
--        and the key

local now = tonumber(ARGV[1])
if now == 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
local listed, reply = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES'), { call_number }
for i = 1, #listed, 2 do
  local key, ends = listed[i], tonumber(listed[i + 1])
  if ends > now then
    reply[#reply + 1] = struct.pack('>i8I4', ends - now, #key) .. key
  end
end
return table.concat(reply)
