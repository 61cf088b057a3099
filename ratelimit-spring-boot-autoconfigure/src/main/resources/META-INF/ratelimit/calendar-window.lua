-- calendar-window: the units admitted in one window of a calendar, and the time of the last admission. The same as CalendarWindow.java.
--
-- Redis has no calendars. So the caller sends the edges between windows: the beginning of the window before that of its own clock, of
-- that window, and of the following ones, at least two. The clock of the server chooses among them.
--
-- limit:  max; 1 if denied calls count; the number of edges; the edges in microseconds, signed
-- stored: one string of 23 bytes
--           7 bytes  time, in microseconds: of the last admission
--           4 bytes  count; the highest bit is set if the window begins at a time that the clock was set back to
--           6 bytes  the time from the beginning of the window to `time`, in microseconds
--           6 bytes  the time from `time` to the end of the window, in microseconds

local BEGINS = 2 ^ 31

-- The window of window.at. If the caller has sent none, the call fails with the time in question, and the caller sends it again with
-- other edges.
local function edges_around(window)
  local edges, at = window.edges, window.at
  for i = #edges - 1, 1, -1 do
    if edges[i] <= at and at < edges[i + 1] then
      return edges[i], edges[i + 1]
    end
  end
  error({ err = string.format('CALENDAR %d is outside of the edges that the caller sent', at) })
end

-- Advances the count to window.at. If the calendar has changed, units count in the window of the new one that holds the time of the last
-- admission, unless the old window is over. If the clock was set back to before the window by less than its length, the window begins
-- now, and is as long as before.
local function advance(window)
  local at, begins_at, ends_at = window.at, edges_around(window)
  if at >= window.ends then
    window.count = 0
  end
  local before = window.count > 0 and at < window.starts
  local corrected = window.count > 0 and window.time > at
  if before and window.time - at < window.ends - window.starts then
    window.starts, window.ends, window.begins = at, at + window.ends - window.starts, true
  elseif before or window.count == 0 or not window.begins then
    if not before and window.time < begins_at then
      window.count = 0
    end
    corrected = corrected or not before and window.count > 0 and ends_at > window.ends
    window.starts, window.ends, window.begins = begins_at, ends_at, false
  end
  window.corrected = window.corrected or corrected
  window.time = at
end

algorithms[NUMBER] = {
  describe = function(window, bytes, at)
    local denied, size
    window.max, denied, size, at = struct.unpack('>I7I7I7', bytes, at)
    window.count_denied, window.edges = denied == 1, {}
    for i = 1, size do
      window.edges[i], at = struct.unpack('>i7', bytes, at)
    end
    return at
  end,

  read = function(window)
    window.time, window.count, window.starts, window.ends, window.begins = now, 0, now, now, false
    local stored = load(window)
    if stored then
      local since, left
      window.time, window.count, since, left = struct.unpack('>I7I4I6I6', stored)
      window.starts, window.ends = window.time - since, window.time + left
      if window.count >= BEGINS then
        window.count, window.begins = window.count - BEGINS, true
      end
    end
    advance(window)
  end,

  retry_after = function(window, cost)
    if cost > window.max then
      return -1
    end
    return window.count + cost <= window.max and 0 or window.ends - window.at
  end,

  take = function(window, cost)
    advance(window)
    window.count = window.count + cost
    window.changed = true
  end,

  -- A denied call fills the window up, but not beyond max. If the limit was lowered, the excess stays.
  take_denied = function(window, cost)
    window.count = math.max(window.count, math.min(window.max, window.count + cost))
    window.changed = true
  end,

  refund = function(window, cost, from, to)
    if to >= window.starts and not may_wait(window, from, to) then
      window.count = window.count - math.min(cost, window.count)
    end
    if from > now then
      window.at = math.max(now, window.starts)
      window.time = window.at
    end
    window.changed = true
  end,

  remaining = function(window)
    return math.max(0, window.max - window.count)
  end,

  last_moment = function(window)
    return window.ends - 1
  end,

  reset_after = function(window)
    return window.count > 0 and window.ends - window.at or 0
  end,

  advance = advance,

  write = function(window)
    local count, time = window.count + (window.begins and BEGINS or 0), window.time
    save(window, struct.pack('>I7I4I6I6', time, count, time - window.starts, window.ends - time))
  end
}

-- debt

algorithms[NUMBER].owe = function(window, units, slot)
  if slot >= window.starts then
    window.count = owed(window.count, units, MOST_OWED)
    window.changed = true
  end
end
