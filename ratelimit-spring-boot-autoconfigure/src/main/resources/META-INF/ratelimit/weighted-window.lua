-- weighted-window: the units admitted in the window of the last admission (`current`), and in the window before (`previous`). The same
-- as WeightedWindow.java, which explains the mathematics.
--
-- limit:  max, period in microseconds
-- stored: one string of 21 bytes, or of 17 where `previous` is 0
--           7 bytes  newest, the time of the last admission, in microseconds
--           6 bytes  the period it was counted by, in microseconds
--           4 bytes  current
--           4 bytes  previous

-- The units that count after `elapsed` of a window, rounded up.
local function used(window, elapsed)
  return window.current + window.previous - floor_of_product(elapsed, window.previous, window.period)
end

-- The number of previous units that have this weight now.
local function previous_of(window, weight)
  return weight == 0 and 0 or units_in({ units = weight, micros = window.period - window.elapsed }, window.period)
end

-- The time within a window from which on the units of the window before have a weight of at most `remaining`.
local function drained(window, before, remaining)
  if before <= remaining then
    return 0
  elseif remaining == 0 then
    return window.period
  end
  local micros, rest = floor_of_product(before - remaining, window.period, before)
  return rest == 0 and micros or micros + 1
end

-- Advances the counts to window.at. If the clock was set back to an earlier window, the units that counted move to that window.
local function advance(window)
  local windows = math.floor(window.at / window.period) - math.floor(window.newest / window.period)
  if windows < 0 then
    window.current = used(window, window.newest % window.period)
    window.previous = 0
  elseif windows == 1 then
    window.current, window.previous = 0, window.current
  elseif windows > 1 then
    window.current, window.previous = 0, 0
  end
  window.corrected = window.corrected or window.newest > window.at
  window.newest = window.at
  window.elapsed = window.at % window.period
end

-- Moves the counts to windows of another period, see WeightedWindow.java.
local function recut(window, newest, period)
  local rest = used(window, window.elapsed) - window.current
  local begun, longer  = window.at - window.elapsed, period > window.period
  window.period, window.elapsed = period, window.at % period
  local beginning = window.at - window.elapsed
  if longer then
    window.corrected = window.corrected or window.current + rest > 0
    if begun > beginning then
      window.current, window.previous = window.current + rest, 0
    elseif used(window, window.elapsed) - window.current > rest then
      window.previous = previous_of(window, rest)
    end
    return
  end
  local units, before = window.current, beginning - period
  local units_at, rest_at = math.min(newest, window.at), math.min(newest, begun - 1)
  window.current = (units_at >= beginning and units or 0) + (rest_at >= beginning and rest or 0)
  window.previous = (units_at < beginning and units_at >= before and units or 0)
      + (rest_at < beginning and rest_at >= before and rest or 0)
end

local function reset_after(window)
  local rest = window.period - window.elapsed
  if window.current > 0 then
    return rest + window.period
  end
  return window.previous > 0 and rest or 0
end

local function write(window)
  local stored = struct.pack('>I7I6I4', window.at, window.period, window.current)
  if window.previous > 0 then
    stored = stored .. struct.pack('>I4', window.previous)
  end
  save(window, stored)
end

algorithms[NUMBER] = {
  describe = function(window, bytes, at)
    window.max, window.period, at = struct.unpack('>I7I7', bytes, at)
    return at
  end,

  read = function(window)
    window.newest, window.current, window.previous = now, 0, 0
    local stored = load(window)
    if stored then
      local period, newest = window.period, 0
      newest, window.period, window.current = struct.unpack('>I7I6I4', stored)
      window.newest = newest
      if #stored > 17 then
        window.previous = struct.unpack('>I4', stored, 18)
      end
      advance(window)
      if window.period ~= period then
        recut(window, newest, period)
      end
    else
      advance(window)
    end
  end,

  retry_after = function(window, cost)
    if cost > window.max then
      return -1
    end
    local remaining = window.max - window.current - cost
    if remaining < 0 then
      return window.period - window.elapsed + drained(window, window.current, window.max - cost)
    end
    return math.max(0, drained(window, window.previous, remaining) - window.elapsed)
  end,

  take = function(window, cost)
    advance(window)
    window.current = window.current + cost
    window.changed = true
  end,

  refund = function(window, cost, from, to)
    local beginning = window.at - window.elapsed
    local wait = may_wait(window, from, to)
    local units = (to < beginning or wait) and 0 or math.min(cost, window.current)
    window.current = window.current - units
    if from < beginning and to >= beginning - (wait and 0 or window.period) then
      window.previous = window.previous - math.min(cost - units, window.previous)
    end
    if from > now then
      local turn = window.current > 0 and drained(window, window.previous, math.max(0, window.max - window.current)) or 0
      window.at = math.max(now, math.min(window.at, beginning + turn))
      window.newest = window.at
      window.elapsed = window.at - beginning
    end
    window.changed = true
  end,

  remaining = function(window)
    return math.max(0, window.max - used(window, window.elapsed))
  end,

  last_moment = function(window)
    return window.at - window.elapsed + window.period - 1
  end,

  reset_after = reset_after,
  advance = advance,
  write = write
}

-- debt

-- The units get the weight of the window in which the call was counted.
algorithms[NUMBER].owe = function(window, units, slot)
  local beginning = window.at - window.elapsed
  if slot >= beginning then
    window.current = owed(window.current, units, MOST_OWED - window.previous)
  elseif slot >= beginning - window.period then
    window.previous = owed(window.previous, units, MOST_OWED - window.current)
  else
    return
  end
  window.changed = true
end

-- plans

algorithms[NUMBER].written_by = function(window)
  local stored = load(window)
  return stored and { period = struct.unpack('>I6', stored, 8) }
end
