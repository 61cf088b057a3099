-- settled: buckets of rules whose calls may be settled when they end. Follows all algorithms. A count of such a rule has
-- the number of its algorithm with the second highest bit set. The same as RecentTakes.java, which explains the mathematics.
--
-- stored: behind the bucket
--           1 byte   FORM; takes in another form start with another byte, and are forgotten
--           then 17 bytes per take, the newest 64, by time
--           7 bytes  time, in microseconds
--           4 bytes  used, and
--           6 bytes  earned: what was missing just before, in the form of the bucket
--
-- Other scripts ignore these bytes and drop them when they write.

local MICROS, TAKE, MOST_TAKES = 22, 17, 64
local FORM = string.char(255)

local function reaches_back_to(bucket, counted_at)
  if bucket.takes == '' then
    return false
  end
  local first, used = struct.unpack('>I7I4', bucket.takes)
  return first <= counted_at or used == 0
end

-- The takes, of which those after a time have another amount missing before.
local function changed_after(bucket, counted_at, changed)
  local takes = {}
  for i = 1, #bucket.takes, TAKE do
    local time, used, earned = struct.unpack('>I7I4I6', bucket.takes, i)
    if time > counted_at then
      used, earned = changed(used, earned, time)
    end
    takes[#takes + 1] = struct.pack('>I7I4I6', time, used, earned)
  end
  return table.concat(takes)
end

-- Converts the takes to the rate of the bucket if they were recorded with another one.
local function follow_rate(bucket, micros)
  if micros ~= bucket.micros then
    bucket.takes = changed_after(bucket, -1, function(used, earned)
      return used, (floor_of_product(earned, bucket.micros * scale(bucket.micros), micros * scale(micros)))
    end)
  end
end

-- Adds a take at bucket.at. One from a full bucket is the first that matters.
local function record(bucket)
  local takes = bucket.used == 0 and '' or bucket.takes
  if takes == '' or struct.unpack('>I7', takes, #takes - TAKE + 1) ~= bucket.at then
    takes = string.sub(takes .. struct.pack('>I7I4I6', bucket.at, bucket.used, bucket.earned), -MOST_TAKES * TAKE)
  end
  bucket.takes = takes
end

-- Refunds units of a call from the takes after it, and then from the bucket: never more than was missing at any time since.
local function refund_since(bucket, counted_at, units)
  local part = 0
  local function refunded(used, earned)
    if used < units or used == units and earned > part then
      units, part = used, earned
    end
    used, earned = used - units, earned - part
    if earned < 0 then
      return used + 1, earned + bucket.micros * scale(bucket.micros)
    end
    return used, earned
  end
  bucket.takes = changed_after(bucket, counted_at, refunded)
  bucket.used, bucket.earned = refunded(bucket.used, bucket.earned)
  bucket.changed = true
end

local function with_takes(algorithm)
  local settled = {}
  for name, value in pairs(algorithm) do
    settled[name] = value
  end

  function settled.read(bucket)
    local stored = load(bucket)
    local from = BUCKET + 1 + (stored and is_known(stored) and 8 or 0)
    bucket.takes = stored and string.sub(stored, from, from) == FORM and string.sub(stored, from + 1) or ''
    check(#bucket.takes % TAKE == 0)
    algorithm.read(bucket)
    if bucket.since > bucket.at then
      bucket.takes = ''
    elseif bucket.takes ~= '' then
      follow_rate(bucket, struct.unpack('>I6', stored, MICROS) % BEYOND)
    end
  end

  function settled.convert(bucket)
    local micros = bucket.micros
    algorithm.convert(bucket)
    follow_rate(bucket, micros)
  end

  function settled.take(bucket, cost)
    algorithm.advance(bucket)
    record(bucket)
    algorithm.take(bucket, cost)
  end

  function settled.refund(bucket, cost, from, to)
    if from == to and to <= now and reaches_back_to(bucket, to) then
      refund_since(bucket, to, cost)
      return
    elseif from > now then
      bucket.takes = ''
    end
    algorithm.refund(bucket, cost, from, to)
  end

  function settled.owe(bucket, units, counted_at)
    if bucket.demand == 1 then
      record(bucket)
    elseif reaches_back_to(bucket, counted_at) then
      local full = false
      local takes = changed_after(bucket, counted_at, function(used, earned, time)
        full = full or used == 0 and time <= now
        return owed(used, units, MOST_OWED), earned
      end)
      if full then
        return
      end
      bucket.takes, counted_at = takes, bucket.at
    end
    algorithm.owe(bucket, units, counted_at)
  end

  function settled.write(bucket)
    algorithm.write(bucket)
    local stored = strings[bucket.key]
    local takes = bucket.takes ~= '' and FORM .. bucket.takes or ''
    local to = BUCKET + (is_known(stored) and 8 or 0)
    strings[bucket.key] = string.sub(stored, 1, to) .. takes .. string.sub(stored, to + 1)
  end

  return settled
end

for number = 1, NUMBER - 1 do
  if algorithms[number] and algorithms[number].take then
    algorithms[number + 64] = with_takes(algorithms[number])
  end
end
