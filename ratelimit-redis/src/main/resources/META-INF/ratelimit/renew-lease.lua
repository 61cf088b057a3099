-- Renews the lease of an instance, and with it all of its slots in one hash slot.
--
-- KEYS:  the last one is the leases, see leases.lua
-- ARGV:  the time in microseconds, or 0 for the clock of the server; the number of the instance; the shortest lease of its slots in
--        microseconds, or 0 to end the lease
-- reply: since, when the lease began, 8 bytes; then the identifier of the server, if the user may see it. If one of them has changed,
--        the lease had ended, or this is a server that may not have all slots

local now = tonumber(ARGV[1])
if now == 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

local name, lease, since = struct.pack('>I7', tonumber(ARGV[2])), tonumber(ARGV[3]), now
if lease == 0 then
  redis.call('HDEL', KEYS[#KEYS], name)
  return call_number
end

local stored = redis.call('HGET', KEYS[#KEYS], name)
if stored then
  local began, seen = struct.unpack('>I7I7I7', stored)
  since = seen + lease > now and began or now
end
redis.call('HSET', KEYS[#KEYS], name, struct.pack('>I7I7I7', since, now, lease))
redis.call('PEXPIRE', KEYS[#KEYS], 3600 * 1000)
local seen, info = pcall(redis.call, 'INFO', 'server')
return call_number .. struct.pack('>i8', since) .. (seen and type(info) == 'string' and string.match(info, 'run_id:(%w+)') or '')
