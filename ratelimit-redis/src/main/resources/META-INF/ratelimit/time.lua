-- Beginning of every counting script: the time.
--
-- ARGV: the calls and their counts, see calls.lua; the time in microseconds, if it is not that of the server
--
-- Every script begins its reply with call_number, the first 8 bytes of ARGV[1], which Script.java takes from it: it proves that the reply
-- belongs to the call.

local now = ARGV[3] and tonumber(ARGV[3])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
