-- Reads which overrides have changed: those of rules as a whole, by their version, and those of keys one by one. A hash without a
-- version, which others have written, has another one at each time. The caller names the newest change of a key that it has.
--
-- KEYS:  the hash: the override of each rule by the name of the rule, and the version; the list of the latest changes of keys, the
--        newest first: an identifier, a space, the rule, a colon and the key
-- ARGV:  the time in microseconds, 0 for that of the server; the newest change that the caller has, empty before its first call
-- reply: the time in seconds and microseconds, 4 bytes each; a byte: 0 if no key has changed, 1 if changes follow, 2 if they are not
--        known any more; then texts, each after its length in 4 bytes: the version of the overrides of rules, the newest change of a
--        key, "-" without a list, which Redis may have lost, and, after a 1, all since the known one

local given = tonumber(ARGV[1])
local time = given > 0 and { math.floor(given / 1000000), given % 1000000 } or redis.call('TIME')
local version = redis.call('HGET', KEYS[1], ':version')
  or redis.call('EXISTS', KEYS[1]) > 0 and time[1] .. '.' .. time[2] or ''
local caller = ARGV[2]
local newest = redis.call('LINDEX', KEYS[2], 0) or '-'
local known = 0
if newest ~= caller then
  known = caller ~= '' and redis.call('LPOS', KEYS[2], caller) or nil
end
local reply = {
  call_number,
  struct.pack('>I4>I4', time[1], time[2]),
  string.char(newest == caller and 0 or known and 1 or 2),
  struct.pack('>I4', #version), version,
  struct.pack('>I4', #newest), newest,
}
if known and known > 0 then
  for _, change in ipairs(redis.call('LRANGE', KEYS[2], 0, known - 1)) do
    reply[#reply + 1] = struct.pack('>I4', #change) .. change
  end
end
return table.concat(reply)
