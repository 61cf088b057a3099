-- What every script begins with: the time, and arithmetic that stays within 2^53, where Lua's numbers are exact.
--
-- ARGV[1]: the time in microseconds, or 0 for the server's own clock.

local now = tonumber(ARGV[1])
if now == 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

-- The algorithms this script was composed of, by name. Each has
--   parameters               how many of ARGV describe a limit
--   read(key, at)            the state of a key, for the limit described from ARGV[at] on
--   retry_after(state, cost) 0: admitted; -1: never; else the microseconds until it is
--   take(state, cost)        counts an admitted call
--   settle(state)            writes a state that had to be corrected: the clock was set back, or the limit lowered
--   remaining(state), reset_after(state)
local algorithms = {}

-- A time to live that ends in the millisecond in which the state equals an unused one, never before it.
local function ttl(reset_after)
  return math.max(1, math.ceil((now % 1000 + reset_after) / 1000))
end

-- Gives a key that lost its time to live a new one.
local function mend(key, reset_after)
  if redis.call('PTTL', key) == -1 then
    redis.call('PEXPIRE', key, ttl(reset_after))
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
