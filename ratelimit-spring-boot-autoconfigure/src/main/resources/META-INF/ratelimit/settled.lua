-- settled: buckets of rules whose calls may be settled when they end. Follows all algorithms and precedes plans.lua. A count of such a rule has
-- the number of its algorithm with the second highest bit set. The same as RecentTakes.java, which explains the mathematics.
--
-- stored: behind the bucket, 11 bytes per take, the newest 64, by time
--           7 bytes  time, in microseconds
--           4 bytes  what was missing just before, in half units: whole units twice, and one more for a part of a unit
--
-- Other scripts ignore these bytes and drop them when they write.

local BUCKET, TAKE, MOST_TAKES = 27, 11, 64

local function reaches_back_to(bucket, slot)
  if bucket.takes == '' then
    return false
  end
  local first, missing = struct.unpack('>I7I4', bucket.takes)
  return first <= slot or missing == 0
end

-- The takes, of which those after a time have another amount missing before.
local function changed_after(bucket, slot, changed)
  local takes = {}
  for i = 1, #bucket.takes, TAKE do
    local time, missing = struct.unpack('>I7I4', bucket.takes, i)
    takes[#takes + 1] = struct.pack('>I7I4', time, time > slot and changed(missing) or missing)
  end
  return table.concat(takes)
end

-- Adds a take at bucket.at. One from a full bucket is the first that matters.
local function record(bucket)
  local missing = 2 * bucket.used - (bucket.earned > 0 and 1 or 0)
  local takes = missing == 0 and '' or bucket.takes
  if takes == '' or struct.unpack('>I7', takes, #takes - TAKE + 1) ~= bucket.at then
    takes = string.sub(takes .. struct.pack('>I7I4', bucket.at, missing), -MOST_TAKES * TAKE)
  end
  bucket.takes = takes
end

local function with_takes(algorithm)
  local settled = {}
  for name, value in pairs(algorithm) do
    settled[name] = value
  end

  function settled.read(bucket)
    local stored = load(bucket)
    bucket.takes, bucket.cut = stored and string.sub(stored, BUCKET + 1) or '', false
    algorithm.read(bucket)
    if bucket.cut or bucket.since > bucket.at then
      bucket.takes = ''
    end
  end

  function settled.take(bucket, cost)
    algorithm.advance(bucket)
    record(bucket)
    algorithm.take(bucket, cost)
  end

  function settled.refund(bucket, cost, from, to)
    if from == to and to <= now and reaches_back_to(bucket, to) then
      bucket.takes = changed_after(bucket, to, function(missing)
        cost = math.min(cost, math.floor(missing / 2))
        return missing - 2 * cost
      end)
      to = math.huge
    elseif from > now then
      bucket.takes = ''
    end
    algorithm.refund(bucket, cost, from, to)
  end

  function settled.owe(bucket, units, slot)
    if bucket.demand == 1 then
      record(bucket)
    elseif reaches_back_to(bucket, slot) then
      local full = false
      local takes = changed_after(bucket, slot, function(missing)
        full = full or missing == 0
        return math.min(2 * MOST_OWED, missing + 2 * units)
      end)
      if full then
        return
      end
      bucket.takes = takes
    end
    algorithm.owe(bucket, units, slot)
  end

  function settled.write(bucket)
    algorithm.write(bucket)
    local stored = strings[bucket.key]
    strings[bucket.key] = string.sub(stored, 1, BUCKET) .. bucket.takes .. string.sub(stored, BUCKET + 1)
  end

  return settled
end

for number = 1, NUMBER - 1 do
  if algorithms[number] and algorithms[number].take then
    algorithms[number + 64] = with_takes(algorithms[number])
  end
end
