-- Reads a page of all overrides of a group.
--
-- KEYS:  the last one is the hash: the override of each rule, and the version, or of each key of a rule
-- ARGV:  the cursor, "0" for the first page; about how many to read
-- reply: texts, each after its length in 4 bytes: the cursor of the next page, "0" after the last one; then names and overrides

local page = redis.call('HSCAN', KEYS[#KEYS], ARGV[1], 'COUNT', ARGV[2])
local reply = { call_number, struct.pack('>I4', #page[1]), page[1] }
for _, text in ipairs(page[2]) do
  reply[#reply + 1] = struct.pack('>I4', #text) .. text
end
return table.concat(reply)
