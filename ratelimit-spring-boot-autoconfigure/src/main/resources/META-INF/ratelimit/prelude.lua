-- What every script begins with: the time, the strings it reads and writes, and what all algorithms have in common.
--
-- A script takes any number of calls, which need not know of each other. Each time one runs, Redis makes all its functions anew.
-- So a script is composed of just what it needs, has few functions, and what is needed once is not made one.
--
-- KEYS: call by call, one per count
-- ARGV: the time in microseconds, or 0 for the server's own clock; the calls, and what they ask, see calls.lua

local now = tonumber(ARGV[1])
if now == 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

-- The algorithms this script was composed of, by the number that Twin.java gives them. All that is known of a count is in one
-- table: what was told of it, and the state of one key after the other. A state is judged as of the time `at`: now, or later while
-- calls wait (see Count.java); it is `changed` when it has to be written, and `corrected` when it is not what is stored, because
-- the clock was set back or the limit lowered: that has to be written too, with the first call that costs something. Each
-- algorithm has
--   told(told, at)                 a new count, made from the bytes that begin there, see calls.lua; and where they end
--   read(count)                    reads the state of count.key
--   retry_after(count, cost)       0: admitted; -1: never; else the microseconds until it is
--   take(count, cost)              counts admitted units, of one call or, but for those that are one_by_one, of several
--   take_denied(count, cost)       counts a denied call, where count.count_denied
--   give_back(count, cost, from, to)
--                                  takes back units that were counted in that time, the newest first: none that came back by
--                                  themselves, and none that may_wait; if it is the last turn of the queue, which is after now, the rest is judged as
--                                  of the turn before it, or now
--   remaining(count)
--   tell(count)                    tells the state as of count.at, which is not before the time it was told as of
--   reset_after(count, later)      as it was before the last units were taken, that many, or 0
--   write(count)                   writes the state
local algorithms = {}

-- The strings of the keys, as far as they are known: false if there is none. Each is read once, and those that have got a
-- lifetime here are written once, at the end, however many calls share them.
local strings, lifetimes = {}, {}

-- Redis is slow to make text of numbers.
local function write_strings()
  for key, lifetime in pairs(lifetimes) do
    if strings[key] then
      redis.call('SET', key, strings[key], 'PX', string.format('%d', lifetime))
    else
      redis.call('DEL', key)
    end
  end
end

-- A time to live that ends in the millisecond in which the state equals an unused one, never before it.
local function ttl(reset_after)
  local micros = now % 1000 + reset_after
  return micros > 0 and (micros + -micros % 1000) / 1000 or 1
end

-- While calls wait, the state is told as of the time at which the last of them goes on. Such a string has the highest bit of its
-- first byte set, and these bytes more, behind the others unless an algorithm says otherwise:
--   7 bytes  asked, the time of the clock when it was written
--   6 bytes  ahead, how far the state was ahead of it
local AHEAD = 13

-- Judges a state as far ahead of the clock as it is, given these bytes. A clock that was set back takes it along.
local function judge(state, stored, from)
  local asked, ahead = struct.unpack('>I7I6', stored, from)
  state.at = now + math.max(0, ahead - math.max(0, now - asked))
  state.corrected = now < asked
end

-- The stored string of a state, without these bytes; false if there is none.
local function load(state)
  local key = state.key
  local stored = strings[key]
  if stored == nil then
    stored = redis.call('GET', key)
    strings[key] = stored
  end
  state.at, state.changed, state.corrected = now, false, false
  if stored then
    local first = string.byte(stored)
    if first >= 128 then
      judge(state, stored, #stored - AHEAD + 1)
      return string.char(first - 128) .. string.sub(stored, 2, -AHEAD - 1)
    end
  end
  return stored
end

local function save(state, stored, reset_after)
  local ahead = state.at - now
  if ahead > 0 then
    stored = string.char(string.byte(stored) + 128) .. string.sub(stored, 2) .. struct.pack('>I7I6', now, ahead)
  end
  strings[state.key], lifetimes[state.key] = stored, ttl(ahead + reset_after)
end

-- Whether units that are counted together with those of a span of time may be of calls that still wait: nobody knows how many of
-- them are whose.
local function may_wait(state, from, to)
  return from < to and to < state.at
end

-- How long a call has to wait. One that takes nothing never does.
local function wait_for(count)
  if count.cost == 0 then
    return 0
  end
  local retry_after = count.algorithm.retry_after(count, count.cost)
  return retry_after == -1 and -1 or count.at - now + retry_after
end
