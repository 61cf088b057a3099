-- token-bucket: a bucket that lacked `used` units at the time `since` of the last admission, less the part of a unit that had been refilled
-- by then. It refills at the rate it was written with, `units` and `micros`. The same as TokenBucket.java, which explains the mathematics.
--
-- limit:  capacity (`max` here); the rate in lowest terms: own_units, own_micros
-- stored: one string of 27 bytes, or of 35 where known_since is before `since`
--           7 bytes  since, in microseconds
--           4 bytes  used
--           6 bytes  earned, the part of a unit that had been refilled, in units of 1 / (micros * scale(micros))
--           4 bytes  units
--           6 bytes  micros; the highest bit is set, so that no instance takes what is missing beyond its capacity for less
--           1 byte   KNOWN or LOWERED, and
--           7 bytes  known_since, in microseconds: the bucket has not been full since, and its rate has not been lowered; if it is LOWERED,
--                    what calls before owe still counts

-- Some 35 years: a bucket and its debt are refilled in twenty.
local LONGEST = 2 ^ 50

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

-- Refills the bucket until bucket.at.
local function earn(bucket)
  local at, since = bucket.at, bucket.since
  bucket.advanced_to = at
  if bucket.used > 0 then
    bucket.corrected = bucket.corrected or since > at
    if at > since then
      local elapsed, units, micros = at - since, bucket.units, bucket.micros
      if math.floor(elapsed / micros) > math.floor(bucket.used / units) then
        bucket.used, bucket.earned = 0, 0
      else
        local whole, parts = earned_in(elapsed, units, micros)
        add_units(bucket, whole, parts, micros)
      end
    end
  end
end

local function advance(bucket)
  if bucket.advanced_to ~= bucket.at then
    bucket.since = bucket.advanced_to
    earn(bucket)
  end
end

-- Applies the rate of the limit. Converts the part of a unit.
local function convert(bucket)
  advance(bucket)
  local micros = bucket.own_micros
  if bucket.own_units * bucket.micros < bucket.units * micros then
    bucket.known_since, bucket.lowered = bucket.at, true
  end
  if bucket.used > 0 then
    bucket.earned = floor_of_product(bucket.earned, micros * scale(micros), bucket.micros * scale(bucket.micros))
  end
  bucket.units, bucket.micros, bucket.other = bucket.own_units, micros, false
end

-- Reads a bucket with another rate. A higher one of a call applies from now on.
local function follow(bucket)
  bucket.other = true
  if bucket.used == 0 or not correcting and bucket.own_units * bucket.micros > bucket.units * bucket.own_micros then
    bucket.corrected = bucket.corrected or bucket.used > 0
    convert(bucket)
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
  back = math.min(bucket.at - math.max(now, bucket.known_since), back)
  local lost, lost_parts = earned_in(back, units, micros)
  parts = parts - lost_parts
  if parts < 0 then
    lost, parts = lost + 1, parts + micros
  end
  bucket.used, bucket.earned = bucket.used + lost, parts * scale + fine
  bucket.at = bucket.at - back
end

local function write(bucket)
  local stored = struct.pack('>I7I4I6I4I6', bucket.at, bucket.used, bucket.earned, bucket.units, bucket.micros + BEYOND)
  if bucket.known_since < bucket.at or bucket.lowered then
    stored = stored .. struct.pack('>BI7', bucket.lowered and LOWERED or KNOWN, bucket.known_since)
  end
  save(bucket, stored)
end

algorithms[NUMBER] = {
  describe = function(bucket, bytes, at)
    bucket.max, bucket.own_units, bucket.own_micros, at = struct.unpack('>I7I7I7', bytes, at)
    return at
  end,

  read = function(bucket)
    local stored = load(bucket)
    if stored then
      local units, micros
      bucket.since, bucket.used, bucket.earned, units, micros = struct.unpack('>I7I4I6I4I6', stored)
      micros = micros % BEYOND
      check(units > 0 and is_period(micros) and bucket.earned < micros * scale(micros) and bucket.used * micros <= LONGEST * units)
      bucket.units, bucket.micros = units, micros
      bucket.known_since = math.min(bucket.at, is_known(stored) and struct.unpack('>I7', stored, BUCKET + 2) or bucket.since)
      bucket.lowered = string.byte(stored, BUCKET + 1) == LOWERED
      earn(bucket)
      if units ~= bucket.own_units or micros ~= bucket.own_micros then
        follow(bucket)
      end
      if bucket.used == 0 and bucket.at == now then
        bucket.known_since, bucket.lowered = now, false
      end
    else
      bucket.advanced_to, bucket.since, bucket.used, bucket.earned = bucket.at, 0, 0, 0
      bucket.units, bucket.micros, bucket.known_since, bucket.lowered = bucket.own_units, bucket.own_micros, now, false
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
    bucket.used, bucket.changed = bucket.used + cost, true
  end,

  refund = function(bucket, cost, from, to)
    if to >= bucket.since then
      add_units(bucket, cost, 0, bucket.micros)
    elseif to >= bucket.known_since and not may_wait(bucket, from, to) then
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
  convert = convert,
  write = write
}

-- debt

algorithms[NUMBER].owe = function(bucket, units, counted_at)
  if bucket.demand == 1 or bucket.lowered or counted_at >= bucket.known_since then
    bucket.used = owed(bucket.used, units, most_owed(bucket))
    bucket.changed = true
  end
end
