-- fixed-window: the units admitted in one window, and a `time` that tells which. Twin of FixedWindow.java.
--
-- limit:  max, period in microseconds, 1 if a window begins with its first admission and not by the clock, 1 if denied calls
--         count too
-- stored: one string of 17 bytes
--           7 bytes  time, that of the last admission by the clock, else the beginning
--           4 bytes  count, with the highest bit if the window begins at `time` although others begin by the clock
--           6 bytes  period, that it was counted by

local BEGINS = 2 ^ 31

local function beginning(window)
  return window.begins and window.time or window.time - window.time % window.period
end

-- Tells the count as of a time: that of an older window is over, and nothing is in a later one. If the period became longer, the
-- count goes on in the new window unless the old one is over. If the clock was set back by less
-- than a period, the window that it has already seen goes on, and ends one period later.
local function tell(window)
  local period = window.period
  if window.count > 0 and period > window.counted_by then
    window.period = window.counted_by
  end
  if window.at >= beginning(window) + window.period then
    window.count = 0
  end
  window.corrected = window.corrected or window.count > 0 and period > window.period
  window.period, window.counted_by = period, period
  local moved_back = window.count > 0 and window.time > window.at
  window.corrected = window.corrected or moved_back
  if window.count == 0 then
    window.begins = window.first_request
  elseif moved_back then
    window.begins = window.first_request or window.at < beginning(window) and window.time - window.at < window.period
  end
  if window.count == 0 or moved_back or not window.begins then
    window.time = window.at
  end
end

local function reset_after(window)
  return window.count > 0 and beginning(window) + window.period - window.at or 0
end

local function write(window)
  local count = window.count + (window.begins and not window.first_request and BEGINS or 0)
  save(window, struct.pack('>I7I4I6', window.time, count, window.period), reset_after(window))
end

algorithms[5] = {
  told = function(told, at)
    local demand, demand_time, cost, max, period, first_request, denied, next = struct.unpack('>I2I7I7I7I7I7I7', told, at)
    return {
      demand = demand, demand_time = demand_time, cost = cost, max = max, period = period, first_request = first_request == 1,
      begins = false, count_denied = denied == 1, key = '', algorithm = true, at = 0, time = 0, count = 0, counted_by = 0, corrected = false,
      changed = false
    }, next
  end,

  read = function(window)
    window.time, window.count, window.begins = now, 0, window.first_request
    local stored = load(window)
    if stored then
      window.time, window.count, window.counted_by = struct.unpack('>I7I4I6', stored)
      if window.count >= BEGINS then
        window.count, window.begins = window.count - BEGINS, true
      end
      tell(window)
    end
  end,

  retry_after = function(window, cost)
    if cost > window.max then
      return -1
    end
    return window.count + cost <= window.max and 0 or beginning(window) + window.period - window.at
  end,

  take = function(window, cost)
    tell(window)
    window.count = window.count + cost
    window.changed = true
  end,

  -- A full window is no fuller after a denied call. More than fits stays, if the limit was lowered.
  take_denied = function(window, cost)
    window.count = math.max(window.count, math.min(window.max, window.count + cost))
    window.changed = true
  end,

  give_back = function(window, cost, from, to)
    local begun = beginning(window)
    if to >= begun and not may_wait(window, from, to) then
      window.count = window.count - math.min(cost, window.count)
    end
    if from > now then
      window.at = math.max(now, begun)
      window.time = window.begins and window.time or window.at
    end
    window.changed = true
  end,

  remaining = function(window)
    return math.max(0, window.max - window.count)
  end,

  reset_after = reset_after,
  tell = tell,
  write = write
}
