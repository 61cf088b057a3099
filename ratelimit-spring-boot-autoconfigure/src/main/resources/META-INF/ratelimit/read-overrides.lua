-- Reads what is said of rules at run time, unless it is known.
--
-- KEYS:  the hash: texts by the names of rules, and the version
-- ARGV:  the version that is known
-- reply: empty if it is the version there is; else texts, each behind its length in 4 bytes: the version, and names and texts

local version = redis.call('HGET', KEYS[1], ':version') or ''
if version == ARGV[1] then
  return ''
end
local reply = { struct.pack('>I4', #version), version }
local stored = redis.call('HGETALL', KEYS[1])
for i = 1, #stored, 2 do
  if stored[i] ~= ':version' then
    reply[#reply + 1] = struct.pack('>I4', #stored[i]) .. stored[i] .. struct.pack('>I4', #stored[i + 1]) .. stored[i + 1]
  end
end
return table.concat(reply)
