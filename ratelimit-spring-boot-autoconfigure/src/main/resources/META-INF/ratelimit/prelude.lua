-- What every script begins with: the time, the strings it reads and writes, arithmetic that stays within 2^53, where Lua's
-- numbers are exact, and what all algorithms have in common.
--
-- A script takes any number of calls, which need not know of each other.
--
-- KEYS: call by call, one per count
-- ARGV: the time in microseconds, or 0 for the server's own clock; the calls, see for_each_row; and what they ask, see plans

local now = tonumber(ARGV[1])
if now == 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

-- The algorithms this script was composed of, by name. A state is judged as of the time `at`: now, or later while calls wait
-- (see Count.java). Each algorithm has
--   parameters                    how many numbers describe a limit
--   read(key, limit)              the state of a key, for a limit described by such numbers
--   retry_after(state, cost)      0: admitted; -1: never; else the microseconds until it is
--   take(state, cost)             counts an admitted call
--   take_denied(state, cost)      counts a denied call, where state.count_denied
--   give_back(state, cost, slot)  takes back units that were counted at a time, and judges the rest as of the earliest time
--   settle(state)                 keeps a state that had to be corrected: the clock was set back, or the limit lowered
--   remaining(state), reset_after(state)
--   write(state)                  writes a state that has changed, which those before it have only noted
local algorithms = {}

-- The strings of the keys, as far as they are known: false if there is none. Each is read once, and those that changed are
-- written once, at the end, however many calls share them.
local strings, lifetimes, changed = {}, {}, {}

local function get(key)
  local known = strings[key]
  if known == nil then
    known = redis.call('GET', key)
    strings[key] = known
  end
  return known
end

local function set(key, value, lifetime)
  if not lifetimes[key] then
    changed[#changed + 1] = key
  end
  strings[key], lifetimes[key] = value, lifetime
end

local function write_strings()
  for i = 1, #changed do
    local key = changed[i]
    if strings[key] then
      redis.call('SET', key, strings[key], 'PX', lifetimes[key])
    else
      redis.call('DEL', key)
    end
  end
end

-- A time to live that ends in the millisecond in which the state equals an unused one, never before it.
local function ttl(reset_after)
  return math.max(1, math.ceil((now % 1000 + reset_after) / 1000))
end

-- Gives a key that lost its time to live a new one.
local lives = {}

local function mend(state, reset_after)
  local key = state.key
  if not lives[key] and not lifetimes[key] and redis.call('PTTL', key) == -1 then
    redis.call('PEXPIRE', key, ttl(state.at - now + reset_after))
  end
  lives[key] = true
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
  local stored = get(state.key)
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
  set(state.key, stored, ttl(state.at - now + reset_after))
end

-- How long a call has to wait. One that takes nothing never does.
local function wait_for(algorithm, state, cost)
  if cost == 0 then
    return 0
  end
  local retry_after = algorithm.retry_after(state, cost)
  return retry_after == -1 and -1 or state.at - now + retry_after
end

-- What calls ask, from ARGV[3] on. Per plan: how many demands it has; per demand: how many counts it has, and a time; per
-- count: the name of its algorithm, the cost, and the numbers that describe the limit.
local function plans()
  local all, at = {}, 3
  local function number()
    at = at + 1
    return tonumber(ARGV[at - 1])
  end
  while at <= #ARGV do
    local plan = {}
    for i = 1, number() do
      local demand, counts = {}, number()
      demand.time = number()
      for j = 1, counts do
        local count = { algorithm = algorithms[ARGV[at]], limit = {} }
        at = at + 1
        count.cost = number()
        for k = 1, count.algorithm.parameters do
          count.limit[k] = number()
        end
        demand[j] = count
      end
      plan[i] = demand
    end
    all[#all + 1] = plan
  end
  return all
end

-- Goes through the calls in ARGV[2], in rows of as many as ask the same of the same keys one after the other. Per row there are
-- 4 bytes: which plan, and how many calls.
local function for_each_row(on_row)
  local all, key = plans(), 1
  for at = 1, #ARGV[2], 4 do
    local which, calls = struct.unpack('>I2I2', ARGV[2], at)
    local plan = all[which]
    on_row(plan, key, calls)
    for i = 1, #plan do
      key = key + #plan[i]
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
