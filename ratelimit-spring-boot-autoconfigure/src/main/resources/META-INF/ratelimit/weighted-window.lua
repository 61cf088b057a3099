-- weighted-window: the units admitted in the window that the time `newest` of the last admission lies in, and those admitted
-- in the window before. Twin of WeightedWindow.java, which has the mathematics.
--
-- limit:  max, period in microseconds
-- stored: one string of 21 bytes, or of 17 where `previous` is 0
--           7 bytes  newest, in microseconds
--           6 bytes  period, that it was counted by
--           4 bytes  current
--           4 bytes  previous

-- What counts after `elapsed` of a window, rounded up.
local function used(window, elapsed)
  return window.current + window.previous - floor_of_product(elapsed, window.previous, window.period)
end

-- How many units of the window before weigh as much as some units now.
local function previous_of(window, weight)
  return weight == 0 and 0 or units_in({ units = weight, micros = window.period - window.elapsed }, window.period)
end

-- From which time of a window on no more than `room` of the units of the window before it weigh.
local function drained(window, before, room)
  if before <= room then
    return 0
  elseif room == 0 then
    return window.period
  end
  local micros, rest = floor_of_product(before - room, window.period, before)
  return rest == 0 and micros or micros + 1
end

-- Tells the counts as of a time: those of older windows are over, and nothing is in a later one.
local function tell(window)
  local windows = math.floor(window.at / window.period) - math.floor(window.newest / window.period)
  if windows < 0 then
    window.current = math.min(window.max, used(window, window.newest % window.period))
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

-- Cuts the windows of another period anew, see WeightedWindow.java.
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
  save(window, stored, reset_after(window))
end

algorithms[3] = {
  told = function(told, at)
    local demand, demand_time, cost, max, period, next = struct.unpack('>I2I7I7I7I7', told, at)
    return {
      demand = demand, demand_time = demand_time, cost = cost, max = max, period = period, key = '', algorithm = true, at = 0,
      newest = 0, current = 0, previous = 0, elapsed = 0, corrected = false, changed = false
    }, next
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
      tell(window)
      if window.period ~= period then
        recut(window, newest, period)
      end
    else
      tell(window)
    end
  end,

  retry_after = function(window, cost)
    if cost > window.max then
      return -1
    end
    local room = window.max - window.current - cost
    if room < 0 then
      return window.period - window.elapsed + drained(window, window.current, window.max - cost)
    end
    return math.max(0, drained(window, window.previous, room) - window.elapsed)
  end,

  take = function(window, cost)
    tell(window)
    window.current = window.current + cost
    window.changed = true
  end,

  give_back = function(window, cost, from, to)
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

  reset_after = reset_after,
  tell = tell,
  write = write
}
