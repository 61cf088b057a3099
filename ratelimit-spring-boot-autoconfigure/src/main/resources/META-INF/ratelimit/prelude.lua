-- What every script begins with: the time, arithmetic that stays within 2^53, where Lua's numbers are exact, and what all
-- algorithms have in common.
--
-- ARGV[1]: the time in microseconds, or 0 for the server's own clock.

local now = tonumber(ARGV[1])
if now == 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

-- The algorithms this script was composed of, by name. A state is judged as of the time `at`: now, or later while calls wait
-- (see Count.java). Each algorithm has
--   parameters                    how many of ARGV describe a limit
--   read(key, from)               the state of a key, for the limit described from ARGV[from] on
--   retry_after(state, cost)      0: admitted; -1: never; else the microseconds until it is
--   take(state, cost)             counts an admitted call
--   take_denied(state, cost)      counts a denied call, where state.count_denied
--   give_back(state, cost, slot)  takes back units that were counted at a time, and judges the rest as of the earliest time
--   settle(state)                 writes a state that had to be corrected: the clock was set back, or the limit lowered
--   remaining(state), reset_after(state)
local algorithms = {}

-- A time to live that ends in the millisecond in which the state equals an unused one, never before it.
local function ttl(reset_after)
  return math.max(1, math.ceil((now % 1000 + reset_after) / 1000))
end

-- Gives a key that lost its time to live a new one.
local function mend(state, reset_after)
  if redis.call('PTTL', state.key) == -1 then
    redis.call('PEXPIRE', state.key, ttl(state.at - now + reset_after))
  end
end

-- While calls wait, the state is told as of the time at which the last of them goes on. Such a string has the highest bit of its
-- first byte set, and these bytes more, behind the others unless an algorithm says otherwise:
--   7 bytes  asked, the time of the clock when it was written
--   6 bytes  ahead, how far the state was ahead of it
local AHEAD = 13

local function is_ahead(stored)
  return string.byte(stored) >= 128
end

-- Judges a state as far ahead of the clock as it is, given these bytes. A clock that was set back takes it along.
local function judge(state, stored, from)
  local asked, ahead = struct.unpack('>I7I6', stored, from)
  state.at = now + math.max(0, ahead - math.max(0, now - asked))
  state.set_back = now < asked
end

local function flip(stored, by)
  return string.char(string.byte(stored) + by) .. string.sub(stored, 2)
end

-- The stored string of a state, without these bytes; false if there is none.
local function load(state)
  local stored = redis.call('GET', state.key)
  state.at = now
  if stored and is_ahead(stored) then
    judge(state, stored, #stored - AHEAD + 1)
    return flip(string.sub(stored, 1, -AHEAD - 1), -128)
  end
  return stored
end

local function save(state, stored, reset_after)
  if state.at > now then
    stored = flip(stored, 128) .. struct.pack('>I7I6', now, state.at - now)
  end
  redis.call('SET', state.key, stored, 'PX', ttl(state.at - now + reset_after))
end

-- How long a call has to wait. One that takes nothing never does.
local function wait_for(algorithm, state, cost)
  if cost == 0 then
    return 0
  end
  local retry_after = algorithm.retry_after(state, cost)
  return retry_after == -1 and -1 or state.at - now + retry_after
end

-- Reads the counts that ARGV describes, demand by demand.
local function for_each_count(on_count, on_demand)
  local at, key = 2, 1
  while key <= #KEYS do
    local demand = { time = tonumber(ARGV[at + 1]) }
    local last = key + tonumber(ARGV[at]) - 1
    at = at + 2
    while key <= last do
      local algorithm = algorithms[ARGV[at]]
      local count = { demand = demand, algorithm = algorithm, cost = tonumber(ARGV[at + 1]) }
      count.state = algorithm.read(KEYS[key], at + 2)
      on_count(demand, count)
      at = at + 2 + algorithm.parameters
      key = key + 1
    end
    if on_demand then
      on_demand(demand)
    end
  end
end

-- floor(a * b / c) for a < c, and the remainder. Where a * b leaves 2^53: long multiplication, seven bits of b at a time; c
-- is below 2^45, so nothing else does.
local function floor_of_product(a, b, c)
  if a * b < 9007199254740992 then
    local quotient = math.floor(a * b / c)
    return quotient, a * b - quotient * c
  end
  local quotient, remainder = 0, 0
  local digit = 2 ^ 42
  while digit >= 1 do
    remainder = remainder * 128 + a * (math.floor(b / digit) % 128)
    local part = math.floor(remainder / c)
    quotient = quotient * 128 + part
    remainder = remainder - part * c
    digit = digit / 128
  end
  return quotient, remainder
end

-- Twins of Rate.java: `units` per `micros` microseconds, in lowest terms.

-- The time it takes to earn some units, rounded up. The rate being in lowest terms, a part of `units` never takes a whole
-- number of microseconds.
local function micros_for(rate, earned)
  local rest = earned % rate.units
  local part = rest == 0 and 0 or floor_of_product(rest, rate.micros, rate.units) + 1
  return (earned - rest) / rate.units * rate.micros + part
end

-- The units earned in some time, rounded down.
local function units_in(rate, elapsed)
  local rest = elapsed % rate.micros
  return (elapsed - rest) / rate.micros * rate.units + floor_of_product(rest, rate.units, rate.micros)
end
