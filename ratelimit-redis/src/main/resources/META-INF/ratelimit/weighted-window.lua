-- weighted-window: the units admitted in the window of the last admission (`current`), and in the window before (`previous`). The same
-- as WeightedWindow.java, which explains the mathematics.
--
-- limit:  max, period in microseconds
-- stored: one string of 28 bytes, or of 35 where whole_since is not 0
--           7 bytes  newest, the time of the last admission, in microseconds
--           6 bytes  the period it was counted by, in microseconds
--           4 bytes  current
--           4 bytes  previous; 0 if these bytes are missing
--           7 bytes  known_since, in microseconds; 0 if these bytes are missing
--           7 bytes  whole_since, in microseconds; only units of calls since then are refunded; 0 if these bytes are missing

-- The units that count after `elapsed` of a window, rounded up.
local function used(window, elapsed)
  return window.current + window.previous - floor_of_product(elapsed, window.previous, window.period)
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

-- Advances the counts to window.at. If the clock was set back to an earlier window, the units that counted move to that window, which holds
-- as many as one with debts.
local function advance(window)
  local windows = math.floor(window.at / window.period) - math.floor(window.newest / window.period)
  if windows < 0 then
    window.current = math.min(used(window, window.newest % window.period), 2 ^ 30)
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

-- The time until at most so many units count.
local function wait_until(window, most)
  if window.current > most then
    return window.period - window.elapsed + drained(window, window.current, most)
  end
  return math.max(0, drained(window, window.previous, most - window.current) - window.elapsed)
end

-- The functions for counts with another period than that of the call, created for the first such count.
local mixed

local function create_mixed()
  -- The number of previous units that have this weight now.
  local function previous_of(window, weight)
    return weight == 0 and 0 or units_in({ units = weight, micros = window.period - window.elapsed }, window.period)
  end

  -- The units in the windows of a call, which are shorter or longer, and whether these contain those of the current window and of the one
  -- before. A window holds as many as one with debts.
  local function moved(window)
    local at, begun, period = window.at, window.at - window.elapsed, window.own_period
    local units, longer = { [0] = 0, [1] = 0 }, period > window.period
    local function add(more, time)
      local windows = math.floor(at / period) - math.floor(time / period)
      units[windows] = math.min((units[windows] or 0) + more, 2 ^ 30)
      return windows <= 1
    end
    local keeps_current = add(window.current, longer and at or math.min(window.admitted, at))
    local keeps_previous = add(window.previous, longer and begun - 1 or math.min(window.admitted, begun - 1))
    return {
      current = units[0], previous = units[1], elapsed = at % period, period = period, keeps_current = keeps_current,
      keeps_previous = keeps_previous
    }
  end

  -- The units that count for a call: no more than in its own windows if they are shorter.
  local function used_by_call(window)
    local units = used(window, window.elapsed)
    if window.other and window.own_period < window.period then
      local own = moved(window)
      return math.min(units, used(own, own.elapsed))
    end
    return units
  end

  -- The units move to the windows of the call, so that their weight is the one by which it was admitted.
  local function convert(window)
    advance(window)
    local units, own, before = used_by_call(window), moved(window), window.current + window.previous
    local begun, since = window.at - window.elapsed, window.at
    if window.at == now and own.keeps_current then
      since = own.keeps_previous and begun - window.period or begun
    end
    window.known_since = math.max(window.known_since, since)
    window.period, window.elapsed, window.other = own.period, own.elapsed, false
    window.current, window.previous = math.min(own.current, units), own.previous
    if used(window, window.elapsed) > units then
      window.previous = previous_of(window, units - window.current)
    end
    if window.current + window.previous ~= before then
      window.whole_since = math.max(since, begun)
    end
  end

  -- The time until at most so many units count in the windows of the call: now or when the present window has ended.
  local function wait_for_call(window, most)
    local left = window.period - window.elapsed
    local next_window = {
      at = window.at + left, elapsed = 0, period = window.period, own_period = window.own_period,
      admitted = math.min(window.admitted, window.at), current = 0, previous = window.current
    }
    return math.min(wait_until(moved(window), most), left + wait_until(moved(next_window), most))
  end

  algorithms[NUMBER].convert = convert
  return { used = used_by_call, wait_until = wait_for_call }
end

local function reset_after(window)
  local rest = window.period - window.elapsed
  if window.current > 0 then
    return rest + window.period
  end
  return window.previous > 0 and rest or 0
end

local function write(window)
  local known, whole = window.known_since, window.whole_since
  local stored = struct.pack('>I7I6I4I4I7', window.at, window.period, window.current, window.previous, known)
  save(window, whole > 0 and stored .. struct.pack('>I7', whole) or stored)
end

algorithms[NUMBER] = {
  describe = function(window, bytes, at)
    window.max, window.own_period, at = struct.unpack('>I7I7', bytes, at)
    return at
  end,

  read = function(window)
    window.newest, window.current, window.previous, window.period = now, 0, 0, window.own_period
    window.known_since, window.whole_since = now, 0
    local stored = load(window)
    if stored then
      window.newest, window.period, window.current = struct.unpack('>I7I6I4', stored)
      check(is_period(window.period))
      if #stored > 17 then
        window.previous = struct.unpack('>I4', stored, 18)
      end
      window.known_since = math.min(window.at, #stored > 21 and struct.unpack('>I7', stored, 22) or 0)
      window.whole_since = math.min(window.at, #stored > 28 and struct.unpack('>I7', stored, 29) or 0)
      if window.period ~= window.own_period then
        window.admitted, window.other = math.min(window.newest, window.at), true
        mixed = mixed or create_mixed()
      end
    end
    advance(window)
    if window.at == now and window.current + window.previous == 0 then
      window.known_since, window.whole_since = now, 0
    end
  end,

  retry_after = function(window, cost)
    if cost > window.max then
      return -1
    end
    local wait = wait_until(window, window.max - cost)
    if window.other and window.own_period < window.period then
      return math.min(wait, mixed.wait_until(window, window.max - cost))
    end
    return wait
  end,

  take = function(window, cost)
    advance(window)
    window.current, window.admitted, window.changed = window.current + cost, window.at, true
  end,

  refund = function(window, cost, from, to)
    local beginning = window.at - window.elapsed
    local wait = may_wait(window, from, to)
    local whole = to >= math.max(window.known_since, window.whole_since)
    local units = (to < beginning or wait or not whole) and 0 or math.min(cost, window.current)
    window.current = window.current - units
    if whole and from < beginning and to >= beginning - (wait and 0 or window.period) then
      window.previous = window.previous - math.min(cost - units, window.previous)
    end
    if from > now then
      local turn = window.current > 0 and drained(window, window.previous, math.max(0, window.max - window.current)) or 0
      window.at = math.max(now, math.min(window.at, math.max(window.known_since, beginning + turn)))
      window.newest = window.at
      window.elapsed = window.at - beginning
    end
    window.changed = true
  end,

  remaining = function(window)
    return math.max(0, window.max - (window.other and mixed.used(window) or used(window, window.elapsed)))
  end,

  last_moment = function(window)
    local at_end = window.at - window.elapsed + window.period
    return math.min(at_end, window.at - window.at % window.own_period + window.own_period) - 1
  end,

  reset_after = reset_after,
  advance = advance,
  write = write
}

-- debt

-- The units get the weight of the window in which the call was counted, or count in full if a change of the period has moved the units of
-- that window.
algorithms[NUMBER].owe = function(window, units, counted_at)
  local beginning = window.at - window.elapsed
  if counted_at < beginning - window.period or window.demand ~= 1 and counted_at < window.known_since then
    return
  elseif counted_at >= beginning or counted_at < window.whole_since then
    window.current = owed(window.current, units, MOST_OWED)
  else
    window.previous = owed(window.previous, units, MOST_OWED)
  end
  window.changed = true
end
