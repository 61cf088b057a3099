-- token-bucket: a bucket from which `used` units were missing at the time `since`, and which has been refilling from then on.
-- Twin of TokenBucket.java, which has the mathematics.
--
-- ARGV:   capacity, then the rate in lowest terms: units, micros
-- stored: one string of 11 bytes
--           7 bytes  since, in microseconds
--           4 bytes  used

-- The time it takes to earn some units, rounded up. The rate being in lowest terms, a part of `units` never takes a whole
-- number of microseconds.
local function micros_for(bucket, earned)
  local rest = earned % bucket.units
  local part = rest == 0 and 0 or floor_of_product(rest, bucket.micros, bucket.units) + 1
  return (earned - rest) / bucket.units * bucket.micros + part
end

-- The units missing now; less than one cycle of the rate has passed since `since`.
local function missing(bucket)
  return bucket.used - floor_of_product(now - bucket.since, bucket.units, bucket.micros)
end

-- Tells the bucket as of now: whole cycles of the rate are over, nothing is in the future, and no more is missing than
-- it can hold, which a lowered limit would have.
local function at_now(bucket)
  bucket.corrected = bucket.since > now
  bucket.since = math.min(bucket.since, now)
  local cycles = math.floor((now - bucket.since) / bucket.micros)
  if cycles > math.floor(bucket.used / bucket.units) then
    bucket.since, bucket.used = now, 0
    return
  end
  bucket.since = bucket.since + cycles * bucket.micros
  bucket.used = bucket.used - cycles * bucket.units
  local short = missing(bucket)
  if short <= 0 then
    bucket.since, bucket.used = now, 0
  elseif short > bucket.capacity then
    bucket.since, bucket.used, bucket.corrected = now, bucket.capacity, true
  end
end

local function reset_after(bucket)
  return micros_for(bucket, bucket.used) - (now - bucket.since)
end

local function write(bucket)
  redis.call('SET', bucket.key, struct.pack('>I7I4', bucket.since, bucket.used), 'PX', ttl(reset_after(bucket)))
end

algorithms['token-bucket'] = {
  parameters = 3,

  read = function(key, at)
    local bucket = {
      key = key, capacity = tonumber(ARGV[at]), units = tonumber(ARGV[at + 1]), micros = tonumber(ARGV[at + 2])
    }
    local stored = redis.call('GET', key)
    if stored then
      bucket.since, bucket.used = struct.unpack('>I7I4', stored)
      at_now(bucket)
    else
      bucket.since, bucket.used = now, 0
    end
    return bucket
  end,

  retry_after = function(bucket, cost)
    if cost > bucket.capacity then
      return -1
    end
    local excess = bucket.used + cost - bucket.capacity
    return excess <= 0 and 0 or math.max(0, micros_for(bucket, excess) - (now - bucket.since))
  end,

  take = function(bucket, cost)
    bucket.used = bucket.used + cost
    write(bucket)
  end,

  settle = function(bucket)
    if bucket.corrected then
      write(bucket)
    end
  end,

  remaining = function(bucket)
    return bucket.capacity - missing(bucket)
  end,

  reset_after = reset_after
}
