-- calendar-window: the units admitted in one window of a calendar, and the time of the last admission. The same as CalendarWindow.java.
--
-- Redis has no calendars. So the caller sends the edges between windows: the beginning of the window before that of its own clock, of
-- that window, and of the following ones, at least two. The clock of the server chooses among them.
--
-- limit:  max; 1 if denied calls count; the number of edges; the edges in microseconds, signed
-- stored: one string of 30 bytes
--           7 bytes  time, in microseconds: of the last admission
--           4 bytes  count; the highest bit is set if the window begins at a time that the clock was set back to
--           6 bytes  the time from the beginning of the window to `time`, in microseconds
--           6 bytes  the time from `time` to the end of the window, in microseconds
--           7 bytes  known_since, in microseconds; the beginning of the window if these bytes are missing

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

-- Counts in the window of the limit.
local function begin(window)
  window.starts, window.ends, window.begins = window.present_starts, window.present_ends, false
  if window.count == 0 then
    window.time = window.at
  end
end

-- Advances the count to window.at. If the clock was set back to before the window by less than its length, the window begins now, and is as
-- long as before.
local function advance(window)
  local at = window.at
  window.present_starts, window.present_ends = edges_around(window)
  if at >= window.ends and window.count > 0 then
    window.count, window.known_since = 0, math.max(window.known_since, window.ends)
  end
  local before = window.count > 0 and at < window.starts
  if before and window.time - at < window.ends - window.starts then
    window.starts, window.ends, window.begins = at, at + window.ends - window.starts, true
  elseif before or window.count == 0 then
    begin(window)
  end
  if window.count > 0 and window.time > at then
    window.corrected, window.time = true, at
  elseif window.count == 0 then
    window.known_since = math.max(window.known_since, now, window.starts)
  end
  window.other = not window.begins and (window.starts ~= window.present_starts or window.ends ~= window.present_ends)
end

-- The end of the window for a call. If the calendar has changed, units count in the window of the new one that holds the time of the last
-- admission, unless the old window is over.
local function ends_for_call(window)
  if not window.other then
    return window.ends
  end
  return window.time < window.present_starts and window.at or math.min(window.ends, window.present_ends)
end

local function used(window)
  return window.at < ends_for_call(window) and window.count or 0
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
    window.known_since = now
    local stored = load(window)
    if stored then
      local since, left
      window.time, window.count, since, left = struct.unpack('>I7I4I6I6', stored)
      -- A leap year is an hour or two longer in which the clocks are set back for good, or for Ramadan.
      check(since + left > 0 and since + left <= 31795200000000)
      window.starts, window.ends = window.time - since, window.time + left
      if window.count >= BEGINS then
        window.count, window.begins = window.count - BEGINS, true
      end
      window.known_since = math.min(window.at, #stored > 23 and struct.unpack('>I7', stored, 24) or math.max(0, window.starts))
    end
    advance(window)
  end,

  retry_after = function(window, cost)
    if cost > window.max then
      return -1
    end
    return used(window) + cost <= window.max and 0 or ends_for_call(window) - window.at
  end,

  convert = function(window)
    advance(window)
    local counted = window.count
    window.count = used(window)
    if window.count < counted then
      window.known_since = window.at
    end
    if window.count == 0 or not window.begins then
      begin(window)
    end
    window.other = false
  end,

  take = function(window, cost)
    advance(window)
    window.count, window.time, window.changed = window.count + cost, window.at, true
  end,

  -- A denied call fills the window up, but not beyond max. If the limit was lowered, the excess stays.
  take_denied = function(window, cost)
    window.count = math.max(window.count, math.min(window.max, window.count + cost))
    window.time, window.changed = window.at, true
  end,

  refund = function(window, cost, from, to)
    if to >= window.known_since and not may_wait(window, from, to) then
      window.count = window.count - math.min(cost, window.count)
    end
    if from > now then
      window.at = math.max(now, window.known_since, window.starts)
      window.time = window.at
    end
    window.changed = true
  end,

  remaining = function(window)
    return math.max(0, window.max - used(window))
  end,

  last_moment = function(window)
    return ends_for_call(window) - 1
  end,

  reset_after = function(window)
    return window.count > 0 and window.ends - window.at or 0
  end,

  advance = advance,

  write = function(window)
    local count, time = window.count + (window.begins and BEGINS or 0), window.time
    save(window, struct.pack('>I7I4I6I6I7', time, count, time - window.starts, window.ends - time, window.known_since))
  end
}

-- debt

algorithms[NUMBER].owe = function(window, units, counted_at)
  if counted_at >= (window.demand == 1 and window.starts or window.known_since) then
    window.count = owed(window.count, units, MOST_OWED)
    window.changed = true
  end
end
