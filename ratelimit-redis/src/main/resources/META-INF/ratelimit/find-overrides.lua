-- Reads some overrides of a group.
--
-- KEYS:  the last one is the hash: the override of each rule or of each key of a rule
-- ARGV:  the names
-- reply: texts, each after its length in 4 bytes: names and overrides, without names that have none

local reply = { call_number }
for i = 1, #ARGV do
  local name = ARGV[i]
  local override = redis.call('HGET', KEYS[#KEYS], name)
  if override then
    reply[#reply + 1] = struct.pack('>I4', #name) .. name .. struct.pack('>I4', #override) .. override
  end
end
return table.concat(reply)
