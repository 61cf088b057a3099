-- Reads the overrides of all rules, unless the caller has the present version. The version of a hash without one is its digest.
--
-- KEYS:  the hash: the override of each rule by the name of the rule, and the version
-- ARGV:  the version that the caller has
-- reply: empty if the version is the same; else texts, each after its length in 4 bytes: the version, then names and overrides

local version, stored = redis.call('HGET', KEYS[1], ':version'), nil
if not version then
  stored = redis.call('HGETALL', KEYS[1])
  version = #stored > 0 and redis.sha1hex(table.concat(stored, ' ')) or ''
end
if version == ARGV[1] then
  return call_number
end
local reply = { call_number, struct.pack('>I4', #version), version }
stored = stored or redis.call('HGETALL', KEYS[1])
for i = 1, #stored, 2 do
  if stored[i] ~= ':version' then
    reply[#reply + 1] = struct.pack('>I4', #stored[i]) .. stored[i] .. struct.pack('>I4', #stored[i + 1]) .. stored[i + 1]
  end
end
return table.concat(reply)
