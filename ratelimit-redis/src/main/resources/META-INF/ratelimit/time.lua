-- Beginning of every counting script: the time. ARGV[1] is the time in microseconds, or 0 for the clock of the server.
--
-- Every script begins its reply with call_number, the last of ARGV, which Script.java defines: it proves that the reply belongs to the
-- call.

local now = tonumber(ARGV[1])
if now == 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
