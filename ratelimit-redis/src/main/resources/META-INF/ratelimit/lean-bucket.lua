-- Lean script of token-bucket and leaky-bucket: decides calls under a single limit that do not wait. It is straight code without functions and
-- tables, since it decides as token-bucket.lua with decide.lua does, which explain the state and the decision, for less than half of their time.
-- All products of units and micros are exact.
--
-- A state is unknown here if it has the rate of another limit, if it has takes of settled calls, if calls wait, if there are portions, if the
-- clock was set back, or if its key has another type or no time to live. Then nothing is changed, and the caller sends these calls to decide.lua.
--
-- KEYS: the bucket of each row; then the portions of each row whose rule has prefetch
-- ARGV: see time.lua and calls.lua; each call has its first count alone. Their number is read here, together with the first row
-- reply: 1 byte: 1; 7 bytes: the time; then per row: 2 bytes each: its calls; how many of them were taken, UNKNOWN for none because the state is;
--        after the row 4 bytes: used; 6 bytes: parts. See LeanReply.java

local BEYOND, KNOWN, LOWERED, UNKNOWN = 2 ^ 47, 254, 253, 65535
local keys, rows, call, all, pack, unpack = KEYS, ARGV[1], redis.call, unpack, struct.pack, struct.unpack
local last, reply, cost, max, units, micros, scale = 0
local number, number_end, which, calls, per_row
-- Most keys have no portions, so all are looked up at once.
local row_count = #rows / 4 - 2
local at, any_portions = row_count + 1, #keys > row_count and call('EXISTS', all(keys, row_count + 1)) > 0
for i = 1, row_count do
  if i == 1 then
    number, number_end, which, calls = unpack('>I4I4I2I2', rows)
  else
    which, calls = unpack('>I2I2', rows, i * 4 + 5)
  end
  if which ~= last then
    per_row, cost, max, units, micros = string.byte(ARGV[2], which * 40 - 38), unpack('>I7I7I7I7', ARGV[2], which * 40 - 27)
    last, scale = which, 2 ^ 44 / micros
    scale = scale >= 2 and scale - scale % 1 or 1
  end
  local key, no_portions = keys[i], not any_portions or per_row == 1 or call('EXISTS', keys[at]) == 0
  at = at + per_row - 1
  -- What pcall returns of a key of another type is unknown, too.
  local stored = redis.pcall('GET', key)
  -- `parts` of a unit have been refilled, in 1 / micros; they are `earned` in the finer parts that are stored.
  local used, parts, earned, known_since, form, known = 0, 0, 0, now, KNOWN, no_portions
  if stored then
    local size, since, own_units, own_micros = #stored, 0, 0, 0
    if size == 35 then
      since, used, earned, own_units, own_micros, form, known_since = unpack('>I7I4I6I4I6BI7', stored)
    elseif size == 27 then
      since, used, earned, own_units, own_micros = unpack('>I7I4I6I4I6', stored)
      known_since = since
    end
    known = no_portions and own_units == units and own_micros == micros + BEYOND and since <= now
      and (form == KNOWN or form == LOWERED) and earned < micros * scale
      and used * micros <= 8 * BEYOND * units
    if known then
      local fine, elapsed = earned % scale, now - since
      parts = (earned - fine) / scale
      if elapsed > 0 then
        local rest = elapsed % micros
        local more = rest * units
        local part = more % micros
        parts = parts + part
        used = used - (elapsed - rest) / micros * units - (more - part) / micros
        if parts >= micros then
          used, parts = used - 1, parts - micros
        end
      end
      if used > 0 then
        earned = parts * scale + fine
      else
        used, parts, earned, known_since, form = 0, 0, 0, now, KNOWN
      end
    end
  end
  local taken, left = calls, max - used
  if cost * calls > left then
    taken = left < cost and 0 or (left - left % cost) / cost
  end
  if not known then
    taken = UNKNOWN
  elseif taken > 0 then
    used = used + cost * taken
    local rest = used % units
    local missing = rest * micros - parts
    local lifetime = now % 1000 + (used - rest) / units * micros + (missing + -missing % units) / units
    call('SET', key, (known_since < now or form == LOWERED)
      and pack('>I7I4I6I4I6BI7', now, used, earned, units, micros + BEYOND, form, known_since)
      or pack('>I7I4I6I4I6', now, used, earned, units, micros + BEYOND), 'PX',
      string.format('%d', (lifetime + -lifetime % 1000) / 1000))
  elseif call('PTTL', key) == -1 then
    -- decide.lua gives the key a time to live.
    taken = UNKNOWN
  end
  if i > 1 then
    reply[i] = pack('>I2I2I4I6', calls, taken, used, parts)
  else
    local head = pack('>I4I4BI7I2I2I4I6', number, number_end, 1, now, calls, taken, used, parts)
    if row_count == 1 then
      return head
    end
    reply = { head }
  end
end
return table.concat(reply or { rows .. pack('>BI7', 1, now) })
