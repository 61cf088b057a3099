-- Beginning of every counting script but lean ones, behind time.lua: the strings that the script reads and writes, and the code that all
-- algorithms share.
--
-- A script decides any number of independent calls. Redis creates all functions of a script anew in each run. So a script contains
-- only the algorithms that its calls need, has few functions, and inlines code that is used once.
--
-- KEYS: one per count, call by call; portions are a count too, see portions.lua
-- ARGV: see time.lua

-- The algorithms of this script, by number. The file of an algorithm is a block, whose first line sets NUMBER, see CountingScripts.java.
--
-- A count is one table: the numbers of its limit, and the state of one key at a time. The state is advanced to the time `at`: now, or
-- later while calls wait (see Count.java). It is `changed` if it has to be written. It is `corrected` if it differs from the stored
-- one because the clock was set back: the next call that costs something writes it. Units that are `held` by instances are not counted
-- yet, but are not free either; they belong to its `portions`. Only `write` changes what is stored.
--
-- The state knows all calls since the time `known_since`. Units of earlier calls do not count: they have expired, a call with other
-- numbers has dropped them, or the key was reset. So they are neither refunded nor owed, and a queue does not go back to before that time.
--
-- The state contains the numbers that its units were counted by. It is `other` if these differ from the numbers of the limit, because
-- calls of one key may have different limits (see Count.java). Before an admitted call is taken, it is converted. Each algorithm has
--   describe(count, bytes, at, counts)
--                                  sets the numbers of the limit, which begin at a position of some bytes; returns where they end. The
--                                  counts before this one are in `counts`
--   read(count)                    reads the state of count.key and advances it
--   advance(count)                 advances the state to count.at, which is not before the time it was advanced to
--   retry_after(count, cost)       the microseconds until a call is admitted: 0 if it is now, -1 if it never is
--   convert(count)                 makes a state that is `other` one of the numbers of the limit. Units that have come back by count.at do
--                                  not count again
--   take(count, cost)              counts admitted units: those of one call, or of several unless the algorithm is one_by_one
--   take_denied(count, cost)       counts a denied call, if count.count_denied
--   refund(count, cost, from, to)  removes units that were counted in a span of time, newest first: none that expired or were refilled,
--                                  none that may_wait, none if `to` is before known_since. If the last turn of the queue is given up, `from` is after now, and the state
--                                  goes back to the turn before, or to now
--   remaining(count)               the units that can be taken
--   reset_after(count)             the microseconds until the state equals an unused one
--   refill(count)                  units and micros of the rate at which units come back, and by how many parts of a microsecond, in 1 /
--                                  units, reset_after is rounded up; only if units do not all come back together
--   last_moment(count)             the time until which units count in the same window as now; only if there are windows
--   write(count)                   writes the state
local algorithms = {}

-- Whether the script refunds units or charges debts. Then the numbers of the calls do not apply to the states.
local correcting = false

-- The known strings by key, false for a missing one. Each string is read once. Those with a lifetime are written once, at the end,
-- however many calls share them.
local strings, lifetimes = {}, {}

-- Formats the lifetime, because Redis is slow at converting numbers to text.
local function write_strings()
  for key, lifetime in pairs(lifetimes) do
    if strings[key] then
      redis.call('SET', key, strings[key], 'PX', string.format('%d', lifetime))
    else
      redis.call('DEL', key)
    end
  end
end

-- The lifetime of a state in milliseconds, rounded up: it ends in the millisecond in which the state equals an unused one.
local function ttl(reset_after)
  local micros = now % 1000 + reset_after
  return micros > 0 and (micros + -micros % 1000) / 1000 or 1
end

-- While calls wait, the stored state is as of the time at which the last of them goes on. The highest bit of its first byte is set
-- then, and these bytes are added, at the end unless an algorithm defines otherwise:
--   7 bytes  written_at, the time of the clock when it was written
--   6 bytes  ahead, how far the state was ahead of the clock
local AHEAD = 13

-- Moves count.at ahead of the clock by what is left of the added bytes. If the clock was set back, the queue moves back with it.
local function look_ahead(count, stored, from)
  local written_at, ahead = struct.unpack('>I7I6', stored, from)
  count.at = now + math.max(0, ahead - math.max(0, now - written_at))
  count.corrected = now < written_at
end

-- The stored string of a count without the added bytes, false if there is none.
local function load(count)
  local key = count.key
  local stored = strings[key]
  if stored == nil then
    stored = redis.call('GET', key)
    strings[key] = stored
  end
  count.at, count.changed, count.corrected, count.other = now, false, false, false
  if stored then
    local first = string.byte(stored)
    if first >= 128 then
      look_ahead(count, stored, #stored - AHEAD + 1)
      return string.char(first - 128) .. string.sub(stored, 2, -AHEAD - 1)
    end
  end
  return stored
end

-- Refuses a stored state with numbers that no script has written: they would admit calls that no limit admits.
local function check(is_possible)
  if not is_possible then
    error({ err = 'the numbers of the stored state are impossible' })
  end
end

-- Whether a limit can have a period: it has 366 days at most.
local function is_period(micros)
  return micros > 0 and micros <= 31622400000000
end

-- Returns whether some units of a span of time may belong to calls that still wait. It is unknown which of them do.
local function may_wait(count, from, to)
  return from < to and to < count.at
end

-- The units of a count that can be taken now.
local function remaining_now(count)
  local units = count.at > now and 0 or count.algorithm.remaining(count) - count.held
  return units > 0 and units or 0
end

-- Returns how long a call has to wait, 0 if it costs nothing.
local function wait_for(count, cost)
  if cost == 0 then
    return 0
  elseif count.held > 0 then
    return count.portions.algorithm.wait_for(count, cost)
  end
  local retry_after = count.algorithm.retry_after(count, cost)
  return retry_after == -1 and -1 or count.at - now + retry_after
end

-- The time from now until a count equals an unused one.
local function reset_after_now(count)
  if count.held > 0 then
    count = count.portions.algorithm.all_counted(count)
  end
  return count.at - now + count.algorithm.reset_after(count)
end

-- Writes a state. While units are held, it is needed until it equals an unused one although they are counted.
local function save(count, stored)
  local ahead = count.at - now
  if ahead > 0 then
    stored = string.char(string.byte(stored) + 128) .. string.sub(stored, 2) .. struct.pack('>I7I6', now, ahead)
  end
  strings[count.key], lifetimes[count.key] = stored, ttl(reset_after_now(count))
end

-- Moves a count to the time at which a call goes on.
local function go_on(count, at)
  if count.held > 0 then
    count.portions.algorithm.count_until(count, at)
  end
  count.at = at
end
