-- Reads the overrides of some keys of a rule.
--
-- KEYS:  the last one is the hash: the override of each key
-- ARGV:  the keys
-- reply: texts, each after its length in 4 bytes: keys and overrides, without keys that have none

local reply = { call_number }
for i = 1, #ARGV do
  local key = ARGV[i]
  local override = redis.call('HGET', KEYS[#KEYS], key)
  if override then
    reply[#reply + 1] = struct.pack('>I4', #key) .. key .. struct.pack('>I4', #override) .. override
  end
end
return table.concat(reply)
