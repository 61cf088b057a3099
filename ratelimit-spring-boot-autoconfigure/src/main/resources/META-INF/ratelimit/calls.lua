-- Decoding of the calls. Follows the algorithms.
--
-- ARGV[2]: the calls in rows: consecutive calls with the same plan and the same keys. Per row 4 bytes: the number of its plan, and
--          the number of calls
-- ARGV[3]: the plans. Per plan 2 bytes: the number of its counts. Per count 1 byte: the number of its algorithm; 2 bytes: the number
--          of the demand that it belongs to; 7 bytes each: the time of that demand, the cost, the numbers of the limit

local plans = {}
do
  local bytes, at, counts = ARGV[3], 1, 0
  while at <= #bytes do
    local plan = {}
    counts, at = struct.unpack('>I2', bytes, at)
    for i = 1, counts do
      local number, demand, demand_time, cost, limit = struct.unpack('>BI2I7I7', bytes, at)
      local algorithm = algorithms[number]
      local count = {
        algorithm = algorithm, demand = demand, demand_time = demand_time, cost = cost, max = 0, key = '', at = 0, corrected = false,
        changed = false, held = 0
      }
      plan[i], at = count, algorithm.describe(count, bytes, limit, plan)
    end
    plans[#plans + 1] = plan
  end
end

local function read(plan, key)
  for i = 1, #plan do
    local count = plan[i]
    count.key = KEYS[key + i]
    count.algorithm.read(count)
  end
end

-- Writes the counts that have changed. Portions are written together with the counts that they are in.
local function write(plan)
  for i = 1, plan.has_portions and #plan or 0 do
    local portions = plan[i].portions
    if portions and portions.list and plan[i].changed then
      portions.algorithm.change_together(portions)
    end
  end
  for i = 1, #plan do
    local count = plan[i]
    if count.changed then
      count.algorithm.write(count)
    end
  end
end

-- The reply to a call that failed, because a key has the wrong type for example: -1 and the length of the message in 8 bytes each, and
-- the message.
local function failure_of(error)
  local message = type(error) == 'table' and error.err or tostring(error)
  return struct.pack('>i8i8', -1, #message) .. message
end
