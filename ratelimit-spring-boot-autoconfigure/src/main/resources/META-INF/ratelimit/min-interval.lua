-- min-interval: the time of the last admitted call, which keeps the next one an interval away. The same as MinInterval.java.
--
-- limit:  the interval in microseconds
-- stored: one string of 13 bytes
--           7 bytes  last, in microseconds
--           6 bytes  counted_by, the interval it was counted by, in microseconds

local function reset_after(calls)
  return calls.last and math.max(0, calls.last + calls.interval - calls.at) or 0
end

algorithms[NUMBER] = {
  describe = function(calls, bytes, at)
    calls.interval, at = struct.unpack('>I7', bytes, at)
    return at
  end,

  read = function(calls)
    local stored = load(calls)
    calls.last = false
    if stored then
      local last, counted_by = struct.unpack('>I7I6', stored)
      calls.counted_by = math.max(counted_by, calls.interval)
      calls.corrected = calls.corrected or last > calls.at or calls.interval > counted_by
      calls.last = math.min(last, calls.at)
    end
  end,

  advance = function()
  end,

  retry_after = function(calls)
    return reset_after(calls)
  end,

  take = function(calls)
    calls.last, calls.counted_by = calls.at, calls.interval
    calls.changed = true
  end,

  -- A refund does not undo a call that went on.
  refund = function(calls, _, from)
    if from > now then
      calls.last = calls.last - calls.interval
      calls.at = math.max(now, calls.last)
    end
    calls.changed = true
  end,

  remaining = function(calls)
    return reset_after(calls) > 0 and 0 or 1
  end,

  reset_after = reset_after,

  write = function(calls)
    save(calls, struct.pack('>I7I6', calls.last, calls.counted_by))
  end
}
