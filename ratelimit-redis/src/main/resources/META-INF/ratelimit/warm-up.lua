-- warm-up: the last admitted call, and how cold the limit was before it, in parts of FULL. Calls leave evenly and pay afterwards: each
-- is charged a time in which no other call passes. The same as WarmUp.java, which explains the mathematics.
--
-- limit:  max; the rate in lowest terms: units, micros; the time in which all tokens are refilled, in microseconds; the cold factor
-- stored: one string of 45 bytes
--           7 bytes  last, in microseconds
--           4 bytes  cost
--           6 bytes  stored
--           7 bytes  charge, the charge of the last call, in microseconds
--           the limit that the last call was counted by, the limit of the call if these bytes are missing:
--           10 bytes units (4) and micros (6) of its rate
--           7 bytes  its cool_down, the time in which all tokens are refilled, in microseconds
--           4 bytes  its cold_factor
--
-- The numbers of the call are `own`, and those that the last call was counted by are `by`.

local FULL = 2 ^ 44

-- Some 35 years, longer than any interval and than any cool_down.
local LONGEST = 2 ^ 50

-- of * part / whole, rounded down, and at most `of`.
local function share(part, whole, of)
  return part >= whole and of or (floor_of_product(part, of, whole))
end

-- The numbers of a limit. Of a cost above its max, no more than max is charged.
local function numbers(max, units, micros, cool_down, cold_factor)
  return {
    max = max, units = units, micros = micros, cool_down = cool_down, cold_factor = cold_factor,
    warning = math.floor(FULL * (cold_factor + 1) / (3 * cold_factor - 1))
  }
end

local function base(call, by)
  return micros_for(by, math.min(call.last_cost, by.max))
end

-- The time in which no call passes after the last one.
local function charge(call, by)
  local above, base = math.max(0, call.stored - by.warning), base(call, by)
  return base + share(above, FULL - by.warning, base * (by.cold_factor - 1))
end

local function owed(call)
  local charged = call.other and math.min(call.charge, charge(call, call.own)) or call.charge
  return math.max(0, charged - (call.at - call.last))
end

-- The tokens that the last call left.
local function left(call)
  local by = call.by
  return call.stored - math.min(call.stored, share(call.last_cost, units_in(by, by.cool_down), FULL))
end

-- The tokens left and refilled: up to the warning line in any case, above it while demand stays under max / cold_factor.
local function stored_now(call)
  local by, elapsed = call.by, call.at - call.last
  local slow = math.max(0, elapsed - base(call, by) * by.cold_factor)
  local warm = math.min(by.warning, left(call) + share(elapsed, by.cool_down, FULL))
  return math.max(warm, math.min(FULL, left(call) + share(slow, by.cool_down, FULL)))
end

local function reset_after(call)
  local by, missing = call.by, FULL - left(call)
  local micros = share(missing, FULL, by.cool_down)
  if share(micros, by.cool_down, FULL) < missing then
    micros = micros + 1
  end
  return math.max(0, base(call, by) * by.cold_factor + micros - (call.at - call.last))
end

local function write(call)
  local by = call.by
  save(call, struct.pack('>I7I4I6I7I4I6I7I4', call.last, call.last_cost, call.stored, call.charge, by.units, by.micros, by.cool_down,
    by.cold_factor))
end

algorithms[NUMBER] = {
  one_by_one = true,

  describe = function(call, bytes, at)
    local units, micros, cool_down, cold_factor
    call.max, units, micros, cool_down, cold_factor, at = struct.unpack('>I7I7I7I7I7', bytes, at)
    call.own = numbers(call.max, units, micros, cool_down, cold_factor)
    return at
  end,

  read = function(call)
    call.last, call.last_cost, call.stored, call.charge, call.by = now, 0, FULL, 0, call.own
    local stored = load(call)
    if stored then
      call.last, call.last_cost, call.stored, call.charge = struct.unpack('>I7I4I6I7', stored)
      if #stored > 24 then
        local units, micros, cool_down, cold_factor = struct.unpack('>I4I6I7I4', stored, 25)
        check(units > 0 and is_period(micros) and cool_down > 0 and cool_down <= LONGEST and cold_factor > 1 and cold_factor <= 10
          and call.last_cost * micros <= LONGEST * units and call.charge <= LONGEST)
        local own = call.own
        call.other = units ~= own.units or micros ~= own.micros or cool_down ~= own.cool_down or cold_factor ~= own.cold_factor
            or call.last_cost > own.max
        call.by = call.other and numbers(call.last_cost, units, micros, cool_down, cold_factor) or own
      else
        call.other = true
      end
      call.corrected = call.corrected or call.last > call.at
      call.last = math.min(call.last, call.at)
    end
  end,

  retry_after = function(call, cost)
    return cost > call.max and -1 or owed(call)
  end,

  convert = function(call)
    call.stored = stored_now(call)
    call.last, call.last_cost, call.charge = call.at, 0, 0
    call.by, call.other = call.own, false
  end,

  take = function(call, cost)
    call.stored = stored_now(call)
    call.last, call.last_cost = call.at, cost
    call.charge = charge(call, call.by)
    call.changed = true
  end,

  refund = function(call, cost, from, to)
    if from <= call.last and to >= call.last then
      call.last_cost = math.max(0, call.last_cost - cost)
      call.charge = math.min(call.charge, charge(call, call.by))
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
