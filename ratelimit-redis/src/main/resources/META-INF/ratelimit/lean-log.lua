-- Lean script of sliding-log: decides calls under a single limit of at most 64 units that do not wait and count only if they are
-- admitted. It is straight code without functions and tables, since it decides as sliding-log.lua with decide.lua does, which explain the state
-- and the decision, in less time.
--
-- A state is unknown here if it was counted by another period, has more than 64 entries or a part of one, if calls wait, if there are portions, if the
-- clock was set back, or if its key has another type or no time to live. Then nothing is changed, and the caller sends these calls to decide.lua.
--
-- KEYS: the log of each row; then the portions of each row whose rule has prefetch
-- ARGV: see time.lua and calls.lua; each call has its first count alone. Their number is read here, together with the first row
-- reply: 1 byte: 2; 7 bytes: the time; then per row: 2 bytes each: its calls; how many of them were taken, UNKNOWN for none because the state is;
--        after the row 4 bytes: remaining; 6 bytes each: retry-after of the calls that were not taken; reset-after. See LeanReply.java

-- LAST is the index of a byte behind those of any log that is known.
local HEADER, SHORT, LAST, UNKNOWN = 14, 64, '398', 65535
local keys, rows, call, all, pack, unpack, sub = KEYS, ARGV[1], redis.call, unpack, struct.pack, struct.unpack, string.sub
local last, reply, cost, max, period, narrow, narrow_modulus, narrow_entry = 0
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
    per_row, cost, max, period = string.byte(ARGV[2], which * 40 - 38), unpack('>I7I7I7', ARGV[2], which * 40 - 27)
    last, narrow, narrow_modulus = which, 1, 256
    while narrow_modulus <= 2 * period do
      narrow, narrow_modulus = narrow + 1, narrow_modulus * 256
    end
    -- It takes Lua long to make a text of a number.
    narrow_entry = narrow == 3 and '>I3' or narrow == 4 and '>I4' or narrow == 5 and '>I5' or '>I' .. narrow
  end
  local key, no_portions = keys[i], not any_portions or per_row == 1 or call('EXISTS', keys[at]) == 0
  at = at + per_row - 1
  -- What pcall returns of a key of another type is unknown, too.
  local stored = redis.pcall('GETRANGE', key, '0', LAST)
  local newest, newest_entry, left, first, known = now, 0, max, HEADER + 1, no_portions
  local width, modulus, entry = narrow, narrow_modulus, narrow_entry
  if stored ~= '' then
    local size, own_width, own_period = #stored, 0, 0
    if size > HEADER then
      own_width, newest, own_period = unpack('>BI7I6', stored)
    end
    -- Entries are wider if they were counted by a longer period before. While calls wait, the highest bit of their width is set.
    if own_width > width and own_width < 8 then
      width, modulus, entry = own_width, 256 ^ own_width, '>I' .. own_width
    end
    known = no_portions and own_width == width and own_period == period and newest <= now and size <= HEADER + SHORT * width
      and (size - HEADER) % width == 0
    if known then
      newest_entry = unpack(entry, stored, size - width + 1)
      local expired, count = now - period, (size - HEADER) / width
      if count > 1 and newest - (newest_entry - unpack(entry, stored, HEADER + 1)) % modulus <= expired
        or newest <= expired then
        -- Bisects for the first entry behind the oldest one that has not expired.
        local low, high = 1, count
        while low < high do
          local middle = (low + high - (low + high) % 2) / 2
          if newest - (newest_entry - unpack(entry, stored, HEADER + 1 + middle * width)) % modulus > expired then
            high = middle
          else
            low = middle + 1
          end
        end
        count, first = count - low, first + low * width
      end
      left = max - count
    end
  end
  local taken, retry_after, reset_after = calls, 0, period
  if not known then
    taken = UNKNOWN
  else
    if cost * calls > left then
      taken = left < cost and 0 or (left - left % cost) / cost
      local place = first + (cost * (taken + 1) - left - 1) * width
      if place < #stored then
        retry_after = newest - (newest_entry - unpack(entry, stored, place)) % modulus + period - now
        retry_after = retry_after > 0 and retry_after or 1
      else
        retry_after = period
      end
    end
    if taken > 0 then
      local units, lifetime = cost * taken, now % 1000 + period
      local added = pack(entry, (newest_entry + now - newest) % modulus)
      if units > 1 then
        added = string.rep(added, units)
      end
      left = left - units
      call('SET', key, pack('>BI7I6', width, now, period) .. sub(stored, first) .. added, 'PX',
        string.format('%d', (lifetime + -lifetime % 1000) / 1000))
    elseif call('PTTL', key) == -1 then
      -- decide.lua gives the key a time to live.
      taken = UNKNOWN
    else
      reset_after = newest + period - now
    end
    left = left > 0 and left or 0
  end
  if i > 1 then
    reply[i] = pack('>I2I2I4I6I6', calls, taken, left, retry_after, reset_after)
  else
    local head = pack('>I4I4BI7I2I2I4I6I6', number, number_end, 2, now, calls, taken, left, retry_after, reset_after)
    if row_count == 1 then
      return head
    end
    reply = { head }
  end
end
return table.concat(reply or { rows .. pack('>BI7', 2, now) })
