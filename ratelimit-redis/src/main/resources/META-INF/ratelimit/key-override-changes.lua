-- Reads which overrides of keys have changed. The caller names the newest change that it has.
--
-- KEYS:  the last one is the list of the latest changes, the newest first: an identifier, a space, the rule, a colon and the key
-- ARGV:  the time in microseconds, 0 for that of the server; the newest change that the caller has, empty for none
-- reply: the time in seconds and microseconds, 4 bytes each; a byte: 0 if nothing has changed, 1 if changes follow, 2 if they are not
--        known any more; then texts, each after its length in 4 bytes: the newest change and, after a 1, all since the known one

local given = tonumber(ARGV[1])
local time = given > 0 and { math.floor(given / 1000000), given % 1000000 } or redis.call('TIME')
local caller = ARGV[2]
local newest = redis.call('LINDEX', KEYS[#KEYS], 0) or ''
local known = 0
if newest ~= caller then
  known = caller ~= '' and redis.call('LPOS', KEYS[#KEYS], caller) or nil
end
local reply = {
  call_number,
  struct.pack('>I4>I4', time[1], time[2]),
  string.char(newest == caller and 0 or known and 1 or 2),
  struct.pack('>I4', #newest), newest,
}
if known and known > 0 then
  for _, change in ipairs(redis.call('LRANGE', KEYS[#KEYS], 0, known - 1)) do
    reply[#reply + 1] = struct.pack('>I4', #change) .. change
  end
end
return table.concat(reply)
