-- Adds figures of a candidate that an instance has counted to the sums of all instances, and returns the sums.
--
-- KEYS:  the hash of the sums; the sketch of the keys that were denied, one byte for each register
-- ARGV:  since, in milliseconds; calls; denied; denied by the rule; registers that have grown, 3 bytes each: the index and the value; the
--        lifetime in milliseconds
-- reply: 8 bytes each: since, calls, denied, denied by the rule; then all registers

local sums, sketch, changes = KEYS[1], KEYS[2], ARGV[5]

local function add(field, units)
  local sum = (tonumber(redis.call('HGET', sums, field)) or 0) + units
  redis.call('HSET', sums, field, string.format('%.0f', sum))
  return sum
end

local since = tonumber(redis.call('HGET', sums, 'since'))
if not since or since > tonumber(ARGV[1]) then
  since = ARGV[1]
  redis.call('HSET', sums, 'since', since)
end
local calls, denied, live_denied = add('calls', ARGV[2]), add('denied', ARGV[3]), add('live-denied', ARGV[4])
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
