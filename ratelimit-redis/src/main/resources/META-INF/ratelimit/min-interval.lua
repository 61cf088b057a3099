-- min-interval: the time of the last admitted call, which keeps the next one an interval away. The same as MinInterval.java.
--
-- limit:  the interval in microseconds
-- stored: one string of 13 bytes
--           7 bytes  last, in microseconds
--           6 bytes  counted_by, the interval it was counted by, in microseconds

local function left(calls, interval)
  return calls.last and math.max(0, calls.last + interval - calls.at) or 0
end

local function retry_after(calls)
  return left(calls, math.min(calls.interval, calls.counted_by))
end

algorithms[NUMBER] = {
  describe = function(calls, bytes, at)
    calls.interval, at = struct.unpack('>I7', bytes, at)
    return at
  end,

  read = function(calls)
    local stored = load(calls)
    calls.last, calls.counted_by = false, calls.interval
    if stored then
      local last
      last, calls.counted_by = struct.unpack('>I7I6', stored)
      calls.other = calls.counted_by ~= calls.interval
      calls.corrected = calls.corrected or last > calls.at
      calls.last = math.min(last, calls.at)
    end
  end,

  advance = function()
  end,

  retry_after = retry_after,

  convert = function(calls)
    calls.counted_by, calls.other = calls.interval, false
  end,

  take = function(calls)
    calls.last, calls.changed = calls.at, true
  end,

  -- A refund does not undo a call that went on.
  refund = function(calls, _, from)
    if from > now then
      calls.last = calls.last - calls.counted_by
      calls.at = math.max(now, calls.last)
    end
    calls.changed = true
  end,

  remaining = function(calls)
    return retry_after(calls) > 0 and 0 or 1
  end,

  reset_after = function(calls)
    return left(calls, calls.counted_by)
  end,

  write = function(calls)
    save(calls, struct.pack('>I7I6', calls.last, calls.counted_by))
  end
}
