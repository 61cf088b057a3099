-- Adds figures of a candidate that an instance has counted to the sums of all instances, and returns the sums.
--
-- The reply may not reach the instance, which then adds the same figures again, with later ones. So what it has added in all is kept, and
-- what it has added before as far as it knows is an argument: the difference was added already.
--
-- KEYS:  the hash of the sums; the sketch of the keys that were denied, one byte for each register; what the instance has added
-- ARGV:  since, in milliseconds; calls; denied; denied by the rule; registers that have grown, 3 bytes each: the index and the value; the
--        lifetime in milliseconds; calls, denied and denied by the rule that the instance has added before as far as it knows; the lifetime of
--        what it has added
-- reply: 8 bytes each: since, calls, denied, denied by the rule; then all registers

local sums, sketch, added, changes = KEYS[1], KEYS[2], KEYS[3], ARGV[5]
local totals = {}
for i = 1, 3 do
  totals[i] = ARGV[i + 1] + ARGV[i + 6]
end
local before = redis.call('GET', added)
local known = before and #before == 24 and { struct.unpack('>I8I8I8', before) } or { ARGV[7], ARGV[8], ARGV[9] }
redis.call('SET', added, struct.pack('>I8I8I8', totals[1], totals[2], totals[3]), 'PX', ARGV[10])

local function add(field, i)
  local sum = (tonumber(redis.call('HGET', sums, field)) or 0) + math.max(totals[i] - known[i], 0)
  redis.call('HSET', sums, field, string.format('%.0f', sum))
  return sum
end

local since = tonumber(redis.call('HGET', sums, 'since'))
if not since or since > tonumber(ARGV[1]) then
  since = ARGV[1]
  redis.call('HSET', sums, 'since', since)
end
local calls, denied, live_denied = add('calls', 1), add('denied', 2), add('live-denied', 3)
local registers = redis.call('GET', sketch) or ''
if changes ~= '' then
  for at = 1, #changes, 3 do
    local index, value = struct.unpack('>I2B', changes, at)
    if value > (string.byte(registers, index + 1) or 0) then
      redis.call('SETRANGE', sketch, index, string.char(value))
    end
  end
  registers = redis.call('GET', sketch)
end
redis.call('PEXPIRE', sums, ARGV[6])
redis.call('PEXPIRE', sketch, ARGV[6])
return call_number .. struct.pack('>I8I8I8I8', since, calls, denied, live_denied) .. registers
