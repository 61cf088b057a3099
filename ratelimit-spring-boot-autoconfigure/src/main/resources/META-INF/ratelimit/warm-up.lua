-- warm-up: the last admitted call, and how cold the limit was before it, in parts of FULL. Calls leave evenly and pay afterwards: each
-- is charged a time in which no other call passes. The same as WarmUp.java, which explains the mathematics.
--
-- limit:  max; the rate in lowest terms: units, micros; the time in which all tokens are refilled, in microseconds; the cold factor
-- stored: one string of 24 bytes, or of 45 under plans
--           7 bytes  last, in microseconds
--           4 bytes  cost
--           6 bytes  stored
--           7 bytes  charge, the charge of the last call by the limit it was counted by, in microseconds
--           21 bytes under plans: the rate of that limit (4 and 6 bytes), its cool_down (7), its cold_factor (4)

local FULL = 2 ^ 44

-- of * part / whole, rounded down, and at most `of`.
local function share(part, whole, of)
  return part >= whole and of or (floor_of_product(part, of, whole))
end

local function base(call)
  return micros_for(call, math.min(call.last_cost, call.max))
end

-- The time in which no call passes after the last one.
local function charge(call)
  local above = math.max(0, call.stored - call.warning)
  return base(call) + share(above, FULL - call.warning, base(call) * (call.cold_factor - 1))
end

local function owed(call)
  local elapsed = call.at - call.last
  return elapsed < call.charge and math.max(0, charge(call) - elapsed) or 0
end

-- The tokens that the last call left.
local function left(call)
  return call.stored - math.min(call.stored, share(call.last_cost, units_in(call, call.cool_down), FULL))
end

-- The tokens left and refilled: up to the warning line in any case, above it while demand stays under max / cold_factor.
local function stored_now(call)
  local elapsed = call.at - call.last
  local slow = math.max(0, elapsed - base(call) * call.cold_factor)
  local warm = math.min(call.warning, left(call) + share(elapsed, call.cool_down, FULL))
  return math.max(warm, math.min(FULL, left(call) + share(slow, call.cool_down, FULL)))
end

local function reset_after(call)
  local missing = FULL - left(call)
  local micros = share(missing, FULL, call.cool_down)
  if share(micros, call.cool_down, FULL) < missing then
    micros = micros + 1
  end
  return math.max(0, base(call) * call.cold_factor + micros - (call.at - call.last))
end

local function write(call)
  save(call, struct.pack('>I7I4I6I7', call.last, call.last_cost, call.stored, call.charge))
end

algorithms[NUMBER] = {
  one_by_one = true,

  describe = function(call, bytes, at)
    call.max, call.units, call.micros, call.cool_down, call.cold_factor, at = struct.unpack('>I7I7I7I7I7', bytes, at)
    call.warning = math.floor(FULL * (call.cold_factor + 1) / (3 * call.cold_factor - 1))
    return at
  end,

  read = function(call)
    call.last, call.last_cost, call.stored, call.charge = now, 0, FULL, 0
    local stored = load(call)
    if stored then
      call.last, call.last_cost, call.stored, call.charge = struct.unpack('>I7I4I6I7', stored)
      local moved_back = call.last > call.at
      call.last = math.min(call.last, call.at)
      local longer = call.at - call.last < call.charge and charge(call) > call.charge
      call.charge = longer and charge(call) or call.charge
      call.corrected = call.corrected or moved_back or longer
    end
  end,

  retry_after = function(call, cost)
    return cost > call.max and -1 or owed(call)
  end,

  take = function(call, cost)
    call.stored = stored_now(call)
    call.last, call.last_cost = call.at, cost
    call.charge = charge(call)
    call.changed = true
  end,

  refund = function(call, cost, from, to)
    if from <= call.last and to >= call.last then
      call.last_cost = math.max(0, call.last_cost - cost)
      call.charge = math.min(call.charge, charge(call))
    end
    call.changed = true
  end,

  remaining = function(call)
    return owed(call) > 0 and 0 or call.max
  end,

  reset_after = reset_after,

  advance = function()
  end,

  write = write
}

-- plans

algorithms[NUMBER].write_under_plans = function(call)
  save(call, struct.pack('>I7I4I6I7I4I6I7I4', call.last, call.last_cost, call.stored, call.charge, call.units, call.micros, call.cool_down,
    call.cold_factor))
end

algorithms[NUMBER].written_by = function(call)
  local stored = load(call)
  if stored and #stored > 24 then
    local units, micros, cool_down, cold_factor = struct.unpack('>I4I6I7I4', stored, 25)
    return {
      units = units, micros = micros, cool_down = cool_down, cold_factor = cold_factor,
      warning = math.floor(FULL * (cold_factor + 1) / (3 * cold_factor - 1))
    }
  end
end
