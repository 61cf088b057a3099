-- Reads the history of the latest changes.
--
-- KEYS:  the last one is the history, see replace-override.lua
-- reply: the entries, the latest first, each after its length in 4 bytes

local reply = { call_number }
for _, entry in ipairs(redis.call('LRANGE', KEYS[#KEYS], 0, -1)) do
  reply[#reply + 1] = struct.pack('>I4', #entry) .. entry
end
return table.concat(reply)
