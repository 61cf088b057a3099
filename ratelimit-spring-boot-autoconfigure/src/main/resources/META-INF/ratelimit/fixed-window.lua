-- fixed-window: the units admitted in one window, and a `time` that tells which. Twin of FixedWindow.java.
--
-- limit:  max, period in microseconds, 1 if a window begins with its first admission and not by the clock, 1 if denied calls
--         count too
-- stored: one string of 11 bytes
--           7 bytes  time, that of the last admission by the clock, else that of the first
--           4 bytes  count

local function beginning(window)
  return window.first_request and window.time or window.time - window.time % window.period
end

-- Tells the count as of a time: that of an older window is over, and nothing is in a later one.
local function tell(window)
  if window.at >= beginning(window) + window.period then
    window.count = 0
  end
  local moved_back = window.count > 0 and window.time > window.at
  window.moved_back = window.moved_back or moved_back
  if window.count == 0 or moved_back or not window.first_request then
    window.time = window.at
  end
end

local function reset_after(window)
  return window.count > 0 and beginning(window) + window.period - window.at or 0
end

local function write(window)
  save(window, struct.pack('>I7I4', window.time, window.count), reset_after(window))
end

algorithms['fixed-window'] = {
  parameters = 4,

  read = function(key, limit)
    local window = {
      key = key, max = limit[1], period = limit[2], first_request = limit[3] == 1,
      count_denied = limit[4] == 1, time = now, count = 0
    }
    local stored = load(window)
    if stored then
      window.time, window.count = struct.unpack('>I7I4', stored)
    end
    tell(window)
    return window
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

  give_back = function(window, cost, slot)
    local begun = beginning(window)
    if slot >= begun then
      window.count = window.count - math.min(cost, window.count)
    end
    window.at = math.max(now, begun)
    window.changed = true
  end,

  settle = function(window)
    if window.moved_back or window.set_back then
      window.changed = true
    end
  end,

  remaining = function(window)
    return math.max(0, window.max - window.count)
  end,

  reset_after = reset_after,
  write = write
}
