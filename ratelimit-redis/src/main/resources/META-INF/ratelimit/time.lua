-- Beginning of every counting script: the time.
--
-- ARGV: the calls and their counts, see calls.lua; the time in microseconds, if it is not that of the server; call_number
--
-- Every script begins its reply with call_number, the last of ARGV, which Script.java defines: it proves that the reply belongs to the
-- call.

local now = ARGV[4] and tonumber(ARGV[3])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
