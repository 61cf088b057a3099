-- fixed-window: the units admitted in one window, and a `time` that identifies the window. The same as FixedWindow.java.
--
-- limit:  max; period in microseconds; 1 if a window begins with its first admission instead of by the clock; 1 if denied calls count
-- stored: one string of 24 bytes
--           7 bytes  time, in microseconds: of the last admission if windows begin by the clock, else of the beginning
--           4 bytes  count; the highest bit is set if the window begins at `time`
--           6 bytes  counted_by, the period it was counted by, in microseconds
--           7 bytes  known_since, in microseconds; the beginning of the window if these bytes are missing

local BEGINS = 2 ^ 31

local function beginning(window, period)
  return window.begins and window.time or window.time - window.time % period
end

local function ends(window, period)
  return beginning(window, period) + period
end

-- Begins a window of the limit in which nothing is counted.
local function begin(window)
  window.count, window.time, window.begins = 0, window.at, window.first_request
  window.counted_by, window.other = window.period, false
  window.known_since = math.max(window.known_since, now, beginning(window, window.period))
end

-- Advances the count to window.at. If the clock was set back to the window before by less than a period, the window continues, and ends
-- one period later.
local function advance(window)
  local period, at = window.counted_by, window.at
  if window.count == 0 or at >= ends(window, period) then
    if window.count > 0 then
      window.known_since = math.max(window.known_since, ends(window, period))
    end
    begin(window)
  elseif window.time > at then
    window.corrected = true
    window.begins = window.first_request and window.begins or at < beginning(window, period) and window.time - at < period
    window.time = at
  end
end

-- The end of the window for a call: that of its shorter period, if it is earlier.
local function ends_for_call(window)
  local at_end = ends(window, window.counted_by)
  if window.other and window.period < window.counted_by then
    return math.min(at_end, window.first_request and window.time + window.period or ends(window, window.period))
  end
  return at_end
end

local function used(window)
  return (not window.other or window.at < ends_for_call(window)) and window.count or 0
end

local function reset_after(window)
  return window.count > 0 and ends(window, window.counted_by) - window.at or 0
end

local function count_up_to(window, units)
  window.count, window.time, window.changed = units, window.begins and window.time or window.at, true
end

local function write(window)
  local count = window.count + (window.begins and BEGINS or 0)
  save(window, struct.pack('>I7I4I6I7', window.time, count, window.counted_by, window.known_since))
end

algorithms[NUMBER] = {
  describe = function(window, bytes, at)
    local first_request, denied
    window.max, window.period, first_request, denied, at = struct.unpack('>I7I7I7I7', bytes, at)
    window.first_request, window.count_denied = first_request == 1, denied == 1
    return at
  end,

  read = function(window)
    window.time, window.count, window.begins, window.counted_by = now, 0, window.first_request, window.period
    window.known_since = now
    local stored = load(window)
    if stored then
      window.time, window.count, window.counted_by = struct.unpack('>I7I4I6', stored)
      check(is_period(window.counted_by))
      window.begins = window.count >= BEGINS
      window.count = window.count % BEGINS
      window.known_since = math.min(window.at, #stored > 17 and struct.unpack('>I7', stored, 18) or beginning(window, window.counted_by))
      window.other = window.counted_by ~= window.period or window.first_request and not window.begins
      advance(window)
    end
  end,

  -- The units that still count do so in the new window of `time`, or of window.at if the window becomes longer.
  convert = function(window)
    advance(window)
    if window.at >= ends_for_call(window) then
      begin(window)
      window.known_since = window.at
    elseif not window.begins and not window.first_request and window.period > window.counted_by then
      window.time = window.at
    end
    window.begins = window.begins or window.first_request
    window.counted_by, window.other = window.period, false
  end,

  retry_after = function(window, cost)
    if cost > window.max then
      return -1
    end
    return used(window) + cost <= window.max and 0 or ends_for_call(window) - window.at
  end,

  take = function(window, cost)
    advance(window)
    count_up_to(window, window.count + cost)
  end,

  -- A denied call fills the window up, but not beyond max. If the limit was lowered, the excess stays.
  take_denied = function(window, cost)
    count_up_to(window, math.max(window.count, math.min(window.max, window.count + cost)))
  end,

  refund = function(window, cost, from, to)
    if to >= window.known_since and not may_wait(window, from, to) then
      window.count = window.count - math.min(cost, window.count)
    end
    if from > now then
      window.at = math.max(now, window.known_since, beginning(window, window.counted_by))
      window.time = window.begins and window.time or window.at
    end
    window.changed = true
  end,

  remaining = function(window)
    return math.max(0, window.max - used(window))
  end,

  last_moment = function(window)
    return (window.count > 0 and ends_for_call(window) or window.at - window.at % window.period + window.period) - 1
  end,

  reset_after = reset_after,
  advance = advance,
  write = write
}

-- debt

-- If windows begin with their first admission, a call that had taken nothing begins one, unless another call has done so since.
algorithms[NUMBER].owe = function(window, units, counted_at)
  local over = counted_at < window.known_since
  if window.demand == 1 then
    over = window.first_request and counted_at + window.counted_by <= window.at
        or not window.first_request and counted_at < beginning(window, window.counted_by)
  end
  if over then
    return
  elseif window.first_request and window.count == 0 then
    window.time, window.known_since = counted_at, counted_at
  end
  window.count = owed(window.count, units, MOST_OWED)
  window.changed = true
end
