-- plans: counts that calls of different plans share. Follows all algorithms. A count of a rule with plans has the number of its algorithm
-- with the highest bit set.
--
-- The state evolves by the numbers that it was written by. A call is judged by the capacity of its own plan. Only an admitted call makes
-- the numbers of its plan apply, as a changed limit does; a denied call and a peek write nothing, unless the clock was set back. See
-- Count.java.
--
-- Here `max` is a bound that no count can reach, and `capacity` is that of the call. The numbers of the count are
-- those that its state was written by. While these differ from the numbers of the call, the latter are kept in `own`.
--
-- An algorithm adds to its functions, behind a line `-- plans` that other scripts end at:
--   written_by(count)  returns the numbers by name that the state of count.key was written by, nil if there is none
--   write_under_plans(count)  writes the state; only if `write` leaves out some of these numbers

local UNBOUNDED = 2 ^ 52

-- Gives a count the numbers of the call again.
local function restore(count)
  if count.own then
    for name, number in pairs(count.own) do
      count[name] = number
    end
    count.own = false
  end
end

local function used(count, algorithm)
  return UNBOUNDED - algorithm.remaining(count)
end

-- The functions of an algorithm for counts that calls of different plans share.
local function under_plans(algorithm)
  local shared = {}
  for name, value in pairs(algorithm) do
    shared[name] = value
  end
  shared.write = algorithm.write_under_plans or algorithm.write

  -- Calls a function as if the limit were that of the call.
  local function with_max(count, max, call, ...)
    count.max = max
    call(count, ...)
    count.max = UNBOUNDED
  end

  function shared.describe(count, bytes, at, counts)
    at = algorithm.describe(count, bytes, at, counts)
    count.capacity, count.max, count.own = count.max, UNBOUNDED, false
    return at
  end

  function shared.read(count)
    restore(count)
    for name, number in pairs(algorithm.written_by and algorithm.written_by(count) or {}) do
      if count[name] ~= number then
        count.own = count.own or {}
        count.own[name], count[name] = count[name], number
      end
    end
    algorithm.read(count)
    count.advanced_until, count.folded = count.at, false
  end

  function shared.advance(count)
    algorithm.advance(count)
    count.advanced_until = count.at
  end

  -- Makes the numbers of the call apply, as if the clock showed the time at which it goes on. Units that have expired by then do not count
  -- again. What differs from the stored state is written before.
  function shared.convert(count)
    if count.own then
      local clock, at = now, count.at
      if count.corrected or count.folded then
        count.at = count.advanced_until
        shared.write(count)
        count.folded, count.at = false, at
      end
      algorithm.advance(count)
      if algorithm.reset_after(count) == 0 then
        strings[count.key] = false
      end
      now = at
      restore(count)
      with_max(count, count.capacity, algorithm.read)
      now, count.advanced_until, count.changed = clock, count.at, true
    end
  end

  function shared.take(count, cost)
    local clock = now
    if count.own then
      shared.convert(count)
      now = count.at
    end
    with_max(count, count.capacity, algorithm.take, cost)
    now = clock
  end

  -- Counts units by the numbers that the state was written by.
  function shared.fold(count, units)
    algorithm.take(count, units)
    count.advanced_until, count.folded = count.at, true
  end

  -- A capacity that is smaller by some units is like a call that costs as many more.
  function shared.retry_after(count, cost)
    return algorithm.retry_after(count, cost + UNBOUNDED - count.capacity)
  end

  function shared.take_denied(count, cost)
    with_max(count, count.capacity, algorithm.take_denied, cost, used(count, algorithm))
  end

  -- The last turn of the queue passes unused if a call of another plan has written the state since.
  function shared.refund(count, cost, from, to)
    if from <= now then
      algorithm.refund(count, cost, from, to)
    elseif not count.own then
      with_max(count, count.capacity, algorithm.refund, cost, from, to)
    end
  end

  function shared.remaining(count)
    return math.max(0, count.capacity - used(count, algorithm))
  end

  return shared
end

local function share(number)
  local algorithm = algorithms[number]
  if algorithm and algorithm.take then
    algorithms[number + 128] = under_plans(algorithm)
  end
end

for number = 1, NUMBER - 1 do
  share(number)
  share(number + 64)
end
