-- Exact arithmetic with rates, below 2^53, where the numbers of Lua are exact. The same as Rate.java.

-- floor(a * b / c) for a < c < 2^45, and the remainder. If a * b exceeds 2^53: long multiplication by seven bits of b at a time.
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

-- A rate is `units` per `micros` microseconds in lowest terms.

-- The time in which some units are earned, rounded up. A part of `units` never takes a whole number of microseconds.
local function micros_for(rate, earned)
  local units, micros = rate.units, rate.micros
  local rest = earned % units
  local whole = (earned - rest) / units * micros
  return rest == 0 and whole or whole + floor_of_product(rest, micros, units) + 1
end

-- The units that are earned in some time, rounded down.
local function units_in(rate, elapsed)
  local units, micros = rate.units, rate.micros
  local rest = elapsed % micros
  return (elapsed - rest) / micros * units + floor_of_product(rest, units, micros)
end
