-- Reads what is said of rules at run time, unless it is known. A hash that somebody wrote without a version has its digest for one.
--
-- KEYS:  the hash: texts by the names of rules, and the version
-- ARGV:  the version that is known
-- reply: empty if it is the version there is; else texts, each behind its length in 4 bytes: the version, and names and texts

local version, stored = redis.call('HGET', KEYS[1], ':version'), nil
if not version then
  stored = redis.call('HGETALL', KEYS[1])
  version = #stored > 0 and redis.sha1hex(table.concat(stored, ' ')) or ''
end
if version == ARGV[1] then
  return ''
end
local reply = { struct.pack('>I4', #version), version }
stored = stored or redis.call('HGETALL', KEYS[1])
for i = 1, #stored, 2 do
  if stored[i] ~= ':version' then
    reply[#reply + 1] = struct.pack('>I4', #stored[i]) .. stored[i] .. struct.pack('>I4', #stored[i + 1]) .. stored[i + 1]
  end
end
return table.concat(reply)
