-- token-bucket: a bucket that lacked `used` units at the time `since` of the last admission, less the part of a unit that had been refilled
-- by then. It refills at the rate it was written with. The same as TokenBucket.java, which explains the mathematics.
--
-- limit:  capacity (`max` here); the rate in lowest terms: units, micros
-- stored: one string of 27 bytes
--           7 bytes  since, in microseconds
--           4 bytes  used
--           6 bytes  earned, the part of a unit that had been refilled, in units of 1 / (micros * scale(micros))
--           4 bytes  units
--           6 bytes  micros; the highest bit is set if the bucket owes units: more than its capacity may be missing then, until the next
--                    admission

local OWES = 2 ^ 47

local function scale(micros)
  return micros <= 2 ^ 43 and math.floor(2 ^ 44 / micros) or 1
end

-- Adds units to the bucket, and parts of a unit, in units of 1 / micros.
local function add_units(bucket, units, parts, micros)
  local scale = scale(micros)
  local fine = bucket.earned % scale
  local sum = (bucket.earned - fine) / scale + parts
  if sum >= micros then
    units, sum = units + 1, sum - micros
  end
  if units < bucket.used then
    bucket.used, bucket.earned = bucket.used - units, sum * scale + fine
  else
    bucket.used, bucket.earned = 0, 0
  end
end

-- The units that are refilled in some time, and the part of a unit, in units of 1 / micros.
local function earned_in(elapsed, units, micros)
  local rest = elapsed % micros
  local whole, parts = floor_of_product(rest, units, micros)
  return (elapsed - rest) / micros * units + whole, parts
end

-- The most units that a bucket owes: those that it refills in ten years.
local function most_owed(bucket)
  return math.min(2 ^ 30, math.floor(316224000000000 / bucket.micros) * bucket.units)
end

-- Refills the bucket until bucket.at at a rate. If the rate changed, converts the part of a unit. If the capacity was
-- lowered, forgets what is missing beyond it, except what is owed.
local function earn(bucket, units, micros)
  local at = bucket.at
  bucket.advanced_to = at
  if bucket.used > 0 then
    bucket.corrected = bucket.corrected or bucket.since > at
    if at > bucket.since then
      local elapsed = at - bucket.since
      if math.floor(elapsed / micros) > math.floor(bucket.used / units) then
        bucket.used, bucket.earned = 0, 0
      else
        local whole, parts = earned_in(elapsed, units, micros)
        add_units(bucket, whole, parts, micros)
      end
    end
    if bucket.used > 0 and (units ~= bucket.units or micros ~= bucket.micros) then
      bucket.earned =
          floor_of_product(bucket.earned, bucket.micros * scale(bucket.micros), micros * scale(micros))
      bucket.corrected = true
    end
  end
  if bucket.used > bucket.max then
    local most = bucket.owes and math.max(bucket.max, most_owed(bucket)) or bucket.max
    if bucket.used > most then
      bucket.used, bucket.earned, bucket.corrected, bucket.cut = most, 0, true, true
    end
  end
end

local function advance(bucket)
  if bucket.advanced_to ~= bucket.at then
    bucket.since = bucket.advanced_to
    earn(bucket, bucket.units, bucket.micros)
  end
end

-- The time until some units are refilled, and by how many parts of a microsecond, in 1 / units, it is rounded up.
local function micros_until(bucket, earned)
  local units, micros = bucket.units, bucket.micros
  local rest = earned % units
  local whole, remainder = floor_of_product(rest, micros, units)
  local parts = bucket.earned == 0 and 0 or math.floor(bucket.earned / scale(micros))
  return (earned - rest) / units * micros + whole + math.ceil((remainder - parts) / units), (parts - remainder) % units
end

local function reset_after(bucket)
  return bucket.used > 0 and micros_until(bucket, bucket.used) or 0
end

-- Goes back to the time at which the bucket was empty, but not before now, as if nothing had been taken since.
local function rewind(bucket)
  local units, micros, scale = bucket.units, bucket.micros, scale(bucket.micros)
  local fine = bucket.earned % scale
  local parts = (bucket.earned - fine) / scale
  local remaining = math.max(0, bucket.max - bucket.used)
  local rest = remaining % units
  local whole, remainder = floor_of_product(rest, micros, units)
  local back = (remaining - rest) / units * micros + whole + math.floor((remainder + parts) / units)
  back = math.min(bucket.at - now, back)
  local lost, lost_parts = earned_in(back, units, micros)
  parts = parts - lost_parts
  if parts < 0 then
    lost, parts = lost + 1, parts + micros
  end
  bucket.used, bucket.earned = bucket.used + lost, parts * scale + fine
  bucket.at = bucket.at - back
end

local function write(bucket)
  local micros = bucket.owes and bucket.micros + OWES or bucket.micros
  save(bucket, struct.pack('>I7I4I6I4I6', bucket.at, bucket.used, bucket.earned, bucket.units, micros))
end

algorithms[NUMBER] = {
  describe = function(bucket, bytes, at)
    bucket.max, bucket.units, bucket.micros, at = struct.unpack('>I7I7I7', bytes, at)
    return at
  end,

  read = function(bucket)
    local stored = load(bucket)
    bucket.owes = false
    if stored then
      local units, micros
      bucket.since, bucket.used, bucket.earned, units, micros = struct.unpack('>I7I4I6I4I6', stored)
      if micros >= OWES then
        micros, bucket.owes = micros - OWES, true
      end
      earn(bucket, units, micros)
    else
      bucket.advanced_to, bucket.since, bucket.used, bucket.earned = bucket.at, 0, 0, 0
    end
  end,

  retry_after = function(bucket, cost)
    if cost > bucket.max then
      return -1
    end
    local excess = bucket.used + cost - bucket.max
    return excess <= 0 and 0 or micros_until(bucket, excess)
  end,

  take = function(bucket, cost)
    advance(bucket)
    bucket.since = bucket.at
    bucket.used, bucket.owes = bucket.used + cost, false
    bucket.changed = true
  end,

  refund = function(bucket, cost, from, to)
    if to >= bucket.since then
      add_units(bucket, cost, 0, bucket.micros)
    elseif not may_wait(bucket, from, to) then
      local refilled, parts = earned_in(bucket.at - to, bucket.units, bucket.micros)
      if refilled < cost then
        if parts > 0 then
          add_units(bucket, cost - refilled - 1, bucket.micros - parts, bucket.micros)
        else
          add_units(bucket, cost - refilled, 0, bucket.micros)
        end
      end
    end
    if from > now then
      rewind(bucket)
    end
    bucket.changed = true
  end,

  remaining = function(bucket)
    return math.max(0, bucket.max - bucket.used)
  end,

  refill = function(bucket)
    local _, rounded = micros_until(bucket, bucket.used)
    return bucket.units, bucket.micros, rounded
  end,

  reset_after = reset_after,
  advance = advance,
  write = write
}

-- debt

algorithms[NUMBER].owe = function(bucket, units)
  bucket.used = owed(bucket.used, units, most_owed(bucket))
  bucket.owes = bucket.used > (bucket.capacity or bucket.max)
  bucket.changed = true
end

-- plans

algorithms[NUMBER].written_by = function(bucket)
  local stored = load(bucket)
  if stored then
    local units, micros = struct.unpack('>I4I6', stored, 18)
    return { units = units, micros = micros % OWES }
  end
end
