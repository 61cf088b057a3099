-- Decoding of the calls. Follows the algorithms.
--
-- ARGV[1]: the calls in rows: consecutive equal calls with the same keys. Per row 4 bytes: the number of the call in ARGV[2] that they
--          are equal to, and how many they are
-- ARGV[2]: the counts of each different call. Per call 2 bytes: how many counts it has. Per count 1 byte: the number of its algorithm; 2
--          bytes: the number of the demand that it belongs to; 7 bytes each: the time of that demand, the cost, the numbers of the limit

local counts_of_calls = {}
do
  local bytes, at, size = ARGV[2], 1, 0
  while at <= #bytes do
    local counts = {}
    size, at = struct.unpack('>I2', bytes, at)
    for i = 1, size do
      local number, demand, demand_time, cost, limit = struct.unpack('>BI2I7I7', bytes, at)
      local algorithm = algorithms[number]
      local count = {
        algorithm = algorithm, demand = demand, demand_time = demand_time, cost = cost, max = 0, key = '', at = 0, corrected = false,
        changed = false, held = 0
      }
      counts[i], at = count, algorithm.describe(count, bytes, limit, counts)
    end
    counts_of_calls[#counts_of_calls + 1] = counts
  end
end

local function read(counts, key)
  for i = 1, #counts do
    local count = counts[i]
    count.key = KEYS[key + i]
    count.algorithm.read(count)
  end
end

-- Writes the counts that have changed. Portions are written together with the counts that they are in.
local function write(counts)
  for i = 1, counts.has_portions and #counts or 0 do
    local portions = counts[i].portions
    if portions and portions.list and counts[i].changed then
      portions.algorithm.change_together(portions)
    end
  end
  for i = 1, #counts do
    local count = counts[i]
    if count.changed then
      count.algorithm.write(count)
    end
  end
end

-- The time of this script. Portions move it while they are counted, and a call may fail meanwhile.
local clock = now

-- The reply to a call that failed, because a key has the wrong type for example: -1 and the length of the message in 8 bytes each, and
-- the message. The next call is one of the clock.
local function failure_of(error)
  now = clock
  local message = type(error) == 'table' and error.err or tostring(error)
  return struct.pack('>i8i8', -1, #message) .. message
end
