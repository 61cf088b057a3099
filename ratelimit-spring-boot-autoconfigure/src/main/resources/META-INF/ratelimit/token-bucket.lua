-- token-bucket: a bucket from which `used` units were missing at the time `since`, and which has been refilling from then on.
-- Twin of TokenBucket.java, which has the mathematics.
--
-- limit:  capacity, then the rate in lowest terms: units, micros
-- stored: one string of 11 bytes
--           7 bytes  since, in microseconds
--           4 bytes  used

-- Tells the bucket as of its time, and how much is `missing` then: whole cycles of the rate are over, nothing is in the future,
-- and no more is missing than it can hold, which a lowered limit would have.
local function tell(bucket)
  local at, since, used = bucket.at, bucket.since, bucket.used
  bucket.told = at
  if since > at then
    since, bucket.corrected = at, true
  end
  local cycles = math.floor((at - since) / bucket.micros)
  if cycles > math.floor(used / bucket.units) then
    bucket.since, bucket.used, bucket.missing = at, 0, 0
    return
  end
  since, used = since + cycles * bucket.micros, used - cycles * bucket.units
  local missing = used - units_in(bucket, at - since)
  if missing <= 0 then
    since, used, missing = at, 0, 0
  elseif missing > bucket.capacity then
    since, used, missing, bucket.corrected = at, bucket.capacity, bucket.capacity, true
  end
  bucket.since, bucket.used, bucket.missing = since, used, missing
end

local function reset_after(bucket, later)
  local micros = micros_for(bucket, bucket.used - later) - (bucket.at - bucket.since)
  return micros > 0 and micros or 0
end

local function write(bucket)
  save(bucket, struct.pack('>I7I4', bucket.since, bucket.used), reset_after(bucket, 0))
end

algorithms[2] = {
  told = function(told, at)
    local demand, demand_time, cost, capacity, units, micros, next = struct.unpack('>I2I7I7I7I7I7', told, at)
    return {
      demand = demand, demand_time = demand_time, cost = cost, capacity = capacity, units = units, micros = micros, key = '',
      algorithm = true, at = 0, told = 0, since = 0, used = 0, missing = 0, corrected = false, changed = false
    }, next
  end,

  read = function(bucket)
    local stored = load(bucket)
    if stored then
      bucket.since, bucket.used = struct.unpack('>I7I4', stored)
      tell(bucket)
    else
      bucket.told, bucket.since, bucket.used, bucket.missing = now, now, 0, 0
    end
  end,

  retry_after = function(bucket, cost)
    if cost > bucket.capacity then
      return -1
    end
    local excess = bucket.used + cost - bucket.capacity
    return excess <= 0 and 0 or math.max(0, micros_for(bucket, excess) - (bucket.at - bucket.since))
  end,

  take = function(bucket, cost)
    if bucket.told ~= bucket.at then
      tell(bucket)
    end
    bucket.used = bucket.used + cost
    bucket.missing = bucket.missing + cost
    bucket.changed = true
  end,

  give_back = function(bucket, cost)
    local units = math.min(cost, bucket.used)
    local rest = units % bucket.units
    local earlier = (units - rest) / bucket.units * bucket.micros
    bucket.since = bucket.since - earlier
    bucket.used = bucket.used - rest
    bucket.at = math.max(now, bucket.since, bucket.at - earlier - (rest == 0 and 0 or micros_for(bucket, rest) - 1))
    bucket.changed = true
  end,

  remaining = function(bucket)
    return bucket.capacity - bucket.missing
  end,

  reset_after = reset_after,
  tell = tell,
  write = write
}
