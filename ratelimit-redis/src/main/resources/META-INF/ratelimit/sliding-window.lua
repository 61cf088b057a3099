-- sliding-window: the units admitted in each sub-window, newest first. The first count is that of the sub-window of the last admission.
-- The same as SlidingWindow.java, which explains the rules.
--
-- limit:  max; period in microseconds; segments (`own_segments` here, and own_length from both)
-- stored: one string
--           7 bytes  newest, the time of the last admission, in microseconds
--           1 byte   segments
--           6 bytes  length of a sub-window, in microseconds
--           7 bytes  known_since, in microseconds
--           4 bytes  per count; zeros at the end are left out, unless there are more than segments + 1 counts

local NONE, KEPT_PERIODS = '\0\0\0\0', 10

local function number(window, time)
  return math.floor(time / window.length)
end

local function count(window, age)
  return (struct.unpack('>I4', window.counts, 4 * age + 1))
end

local function counted(window)
  return #window.counts / 4
end

local function set_count(window, age, units)
  local counts = window.counts
  window.counts = string.sub(counts, 1, 4 * age) .. struct.pack('>I4', units) .. string.sub(counts, 4 * age + 5)
end

local function sum(window)
  local used, live = 0, math.min(counted(window), window.live)
  if live > 0 then
    local counts = { struct.unpack('>' .. string.rep('I4', live), window.counts) }
    for i = 1, live do
      used = used + counts[i]
    end
  end
  return used
end

-- Advances the counts to window.at, which is not before `newest`.
local function advance(window)
  local newer = number(window, window.at) - number(window, window.newest)
  window.newest = window.at
  if newer > 0 then
    local most = window.live + KEPT_PERIODS * window.segments
    window.kept = math.min(most, window.kept + newer)
    window.counts = newer < most and string.rep(NONE, newer) .. window.counts or ''
  end
  window.used = sum(window)
end

-- Forgets counts that have expired by the clock.
local function forget(window)
  local waiting = number(window, window.at) - number(window, now)
  local most = window.live + math.min(waiting, KEPT_PERIODS * window.segments)
  window.kept = math.min(most, window.kept)
  window.counts = string.sub(window.counts, 1, 4 * window.kept)
end

-- The age of the newest count that is not 0.
local function newest_age(window)
  local from = string.find(window.counts, '[^%z]')
  return from and math.floor((from - 1) / 4)
end

local function leaves_after(window, age)
  return (number(window, window.at) - age + window.live) * window.length - window.at
end

-- The functions for counts in other sub-windows than those of the call, and for a clock that was set back, created when first needed.
local mixed

local function create_mixed()
  -- The latest moment at which the units of a count can have been admitted. The last ones were admitted at window.admitted.
  local function latest(window, age)
    local of_count = number(window, window.at) - age
    return of_count >= number(window, window.admitted) and window.admitted or (of_count + 1) * window.length - 1
  end

  -- Moves the counts to other sub-windows or to an earlier time, as of the last admission. A count moves to the sub-window that contains
  -- the latest moment at which its units can have been admitted. Expired counts do not return. A sub-window holds as many units as one
  -- with debts.
  local function move(window, length, segments, back)
    local live, newest, moved = segments + 1, math.floor((window.admitted - back) / length), {}
    for age = 1, live do
      moved[age] = 0
    end
    for i = 0, math.min(counted(window), back > 0 and counted(window) or window.live) - 1 do
      local age = newest - math.floor((latest(window, i) - back) / length)
      if age < live then
        moved[age + 1] = math.min(moved[age + 1] + count(window, i), 2 ^ 30)
      end
    end
    window.counts = struct.pack('>' .. string.rep('I4', live), unpack(moved))
    window.length, window.segments, window.live, window.kept = length, segments, live, live
  end

  -- The time until a count ends for a call: also in the sub-window of its limit, if that is earlier.
  local function leaves_call_after(window, age)
    local length = window.own_length
    local ends = (math.floor(latest(window, age) / length) + window.own_segments + 1) * length
    return math.min(leaves_after(window, age), ends - window.at)
  end

  -- The age of the oldest count that a call sees, and the units of all counts from there on.
  local function seen(window)
    local oldest, units = math.min(counted(window), window.live) - 1, 0
    while oldest >= 0 and leaves_call_after(window, oldest) <= 0 do
      oldest = oldest - 1
    end
    for age = 0, oldest do
      units = units + count(window, age)
    end
    return oldest, units
  end

  -- The beginning of the oldest sub-window whose units those of the call keep.
  local function kept_since(window)
    local oldest = (math.floor(window.admitted / window.own_length) - window.own_segments) * window.own_length
    return math.max(number(window, window.at) - window.segments, number(window, oldest)) * window.length
  end

  local function convert(window)
    if window.at > window.newest then
      advance(window)
    end
    window.known_since = window.at > now and window.at or math.max(window.known_since, kept_since(window))
    move(window, window.own_length, window.own_segments, 0)
    window.newest, window.other = window.admitted, false
    advance(window)
  end

  algorithms[NUMBER].convert = convert
  return { move = move, seen = seen, leaves_after = leaves_call_after }
end

local function reset_after(window)
  return window.used == 0 and 0 or leaves_after(window, newest_age(window))
end

local function write(window)
  forget(window)
  local counts = window.counts
  if window.kept > window.live then
    counts = counts .. string.rep(NONE, window.kept - counted(window))
  else
    local last = #counts
    while last > 0 and string.sub(counts, last - 3, last) == NONE do
      last = last - 4
    end
    counts = string.sub(counts, 1, last)
  end
  save(window, struct.pack('>I7BI6I7', window.at, window.segments, window.length, window.known_since) .. counts)
end

algorithms[NUMBER] = {
  describe = function(window, bytes, at)
    local period
    window.max, period, window.own_segments, at = struct.unpack('>I7I7I7', bytes, at)
    window.own_length = math.ceil(period / window.own_segments)
    return at
  end,

  read = function(window)
    local stored = load(window)
    window.newest, window.counts = window.at, ''
    window.segments, window.length, window.known_since = window.own_segments, window.own_length, now
    if stored then
      window.newest, window.segments, window.length, window.known_since = struct.unpack('>I7BI6I7', stored)
      check(window.segments > 0 and is_period(window.length) and (#stored - 21) % 4 == 0)
      window.counts, window.known_since = string.sub(stored, 22), math.min(window.at, window.known_since)
      window.other = window.length ~= window.own_length or window.segments ~= window.own_segments
    end
    window.live = window.segments + 1
    if window.other or window.newest > window.at then
      mixed = mixed or create_mixed()
      window.admitted = window.newest
    end
    if window.newest > window.at then
      local at = window.at
      window.at, window.corrected = window.newest, true
      mixed.move(window, window.length, window.segments, window.newest - at)
      window.at, window.newest, window.admitted = at, at, at
    end
    window.kept = math.max(window.live, counted(window))
    advance(window)
    if window.at == now and window.used == 0 then
      window.known_since = now
    end
  end,

  retry_after = function(window, cost)
    if cost > window.max then
      return -1
    end
    local oldest, used = math.min(counted(window), window.live) - 1, window.used
    if window.other then
      oldest, used = mixed.seen(window)
    end
    local excess, age = used + cost - window.max, oldest + 1
    if excess <= 0 then
      return 0
    end
    while excess > 0 do
      age = age - 1
      excess = excess - count(window, age)
    end
    return window.other and mixed.leaves_after(window, age) or leaves_after(window, age)
  end,

  take = function(window, cost)
    if window.at > window.newest then
      advance(window)
    end
    forget(window)
    set_count(window, 0, cost + (window.counts == '' and 0 or count(window, 0)))
    window.used, window.admitted = window.used + cost, window.at
    window.changed = true
  end,

  refund = function(window, cost, from, to)
    forget(window)
    local current = number(window, window.at)
    local age = current - number(window, to) + (may_wait(window, from, to) and 1 or 0)
    local oldest = math.min(counted(window) - 1, current - number(window, from))
    cost = to < window.known_since and 0 or cost
    while age <= oldest and cost > 0 do
      local units = math.min(cost, count(window, age))
      set_count(window, age, count(window, age) - units)
      cost = cost - units
      age = age + 1
    end
    if from > now then
      local over = math.min(newest_age(window) or window.kept, window.kept - window.live)
      window.at = math.max(now, window.known_since, (current - over) * window.length)
      over = current - number(window, window.at)
      window.kept = window.kept - over
      window.counts = string.sub(window.counts, 4 * over + 1)
    end
    window.used = sum(window)
    window.changed = true
  end,

  remaining = function(window)
    local _, used = 0, window.used
    if window.other then
      _, used = mixed.seen(window)
    end
    return math.max(0, window.max - used)
  end,

  reset_after = reset_after,
  advance = advance,
  write = write
}

-- debt

algorithms[NUMBER].owe = function(window, units, counted_at)
  forget(window)
  local age = number(window, window.at) - number(window, counted_at)
  if age >= window.kept or window.demand ~= 1 and counted_at < window.known_since then
    return
  end
  window.counts = window.counts .. string.rep(NONE, age + 1 - counted(window))
  local own, all = count(window, age), 0
  for i = 0, counted(window) - 1 do
    all = all + count(window, i)
  end
  set_count(window, age, owed(own, units, MOST_OWED - all + own))
  window.used = sum(window)
  window.changed = true
end
