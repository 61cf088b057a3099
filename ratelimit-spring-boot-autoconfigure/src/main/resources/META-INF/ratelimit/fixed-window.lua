-- fixed-window: the units admitted in one window, and a `time` that identifies the window. The same as FixedWindow.java.
--
-- limit:  max; period in microseconds; 1 if a window begins with its first admission instead of by the clock; 1 if denied calls count
-- stored: one string of 17 bytes
--           7 bytes  time, in microseconds: of the last admission if windows begin by the clock, else of the beginning
--           4 bytes  count; the highest bit is set if the window begins at `time` although other windows begin by the clock
--           6 bytes  counted_by, the period it was counted by, in microseconds

local BEGINS = 2 ^ 31

local function beginning(window, period)
  return window.begins and window.time or window.time - window.time % period
end

local function ends(window, period)
  return beginning(window, period) + period
end

-- Advances the count to window.at. A count ends with its old window. The window of a shorter period may end earlier, or later if it is
-- written before. If the clock was set back to the window before by less than a period, the window continues, and ends one period later.
local function advance(window)
  local period, longer, end_before = window.period, window.period > window.counted_by, ends(window, window.counted_by)
  if window.at >= end_before or not longer and window.at >= ends(window, period) then
    window.count = 0
  end
  local counts_longer = window.count > 0 and (longer or ends(window, period) > end_before)
  window.counted_by = period
  local moved_back = window.count > 0 and window.time > window.at
  window.corrected = window.corrected or moved_back or counts_longer
  if window.count == 0 then
    window.begins = window.first_request
  elseif moved_back then
    window.begins = window.first_request or window.at < beginning(window, window.period) and window.time - window.at < window.period
  end
  if window.count == 0 or moved_back or longer and not window.begins then
    window.time = window.at
  end
end

local function reset_after(window)
  return window.count > 0 and ends(window, window.period) - window.at or 0
end

local function count_up_to(window, units)
  window.count, window.time, window.changed = units, window.begins and window.time or window.at, true
end

local function write(window)
  local count = window.count + (window.begins and not window.first_request and BEGINS or 0)
  save(window, struct.pack('>I7I4I6', window.time, count, window.period))
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
    local stored = load(window)
    if stored then
      window.time, window.count, window.counted_by = struct.unpack('>I7I4I6', stored)
      if window.count >= BEGINS then
        window.count, window.begins = window.count - BEGINS, true
      end
      advance(window)
    end
  end,

  retry_after = function(window, cost)
    if cost > window.max then
      return -1
    end
    return window.count + cost <= window.max and 0 or ends(window, window.period) - window.at
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
    local begun = beginning(window, window.period)
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

  last_moment = function(window)
    return (window.count > 0 and ends(window, window.period) or window.at - window.at % window.period + window.period) - 1
  end,

  reset_after = reset_after,
  advance = advance,
  write = write
}

-- debt

-- If windows begin with their first admission, a call that had taken nothing begins one, unless another call has done so since.
algorithms[NUMBER].owe = function(window, units, slot)
  local begins = window.first_request and window.count == 0
  if begins or window.first_request and window.demand == 1 then
    if slot + window.period <= window.at then
      return
    end
    window.time = begins and slot or window.time
  elseif slot < beginning(window, window.period) then
    return
  end
  window.count = owed(window.count, units, MOST_OWED)
  window.changed = true
end

-- plans

algorithms[NUMBER].written_by = function(window)
  local stored = load(window)
  return stored and { period = struct.unpack('>I6', stored, 12) }
end
