-- Looks for a key that write-probes.lua has written, and deletes it. A full server may have evicted it.
--
-- KEYS:  the key
-- ARGV:  the reply of write-probes.lua
-- reply: empty, or a sentence if the key was written to another server

if redis.call('DEL', KEYS[1]) == 1 then
  return call_number
end
local seen, info = pcall(redis.call, 'INFO', 'server')
local server = seen and type(info) == 'string' and string.match(info, 'run_id:(%w+)')
return call_number .. (server and server == ARGV[1] and '' or 'on another server')
