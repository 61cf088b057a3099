-- sliding-log: the times of the admitted units, oldest first. The same as SlidingLog.java.
--
-- limit:  max; period in microseconds; 1 if denied calls count
-- stored: one string
--           1 byte   width, the number of bytes of an entry
--           7 bytes  newest, the time of the last entry, in microseconds
--           6 bytes  counted_by, the period it was counted by, in microseconds
--           13 bytes only while calls wait, see prelude.lua
--           width bytes per unit: its time modulo 256^width
--
-- 256^width exceeds two periods, and the age of the oldest entry relative to the newest. So the difference between an entry and the last
-- one gives its age, and if the clock was set back, writing `newest` moves the whole log.
--
-- Short logs are read and written whole. Of longer ones only the entries that decide are read, by bisection, and admitted units are
-- appended in place. Until it is written, a log changes in memory: `known` are its first entries, all of them if it is `whole`, and
-- `added` are the entries that follow the `stored` bytes of a longer one. Expired entries are removed when they are half of the log or
-- two periods old, and when a longer period applies, since they would count again.

local HEADER, SHORT, AT_ONCE = 14, 64, 286

-- The first AT_ONCE bytes of a log, or the whole log if it is known.
local function head(key)
  if strings[key] == nil then
    local first = redis.call('GETRANGE', key, '0', '285')
    if #first == AT_ONCE then
      return first
    end
    strings[key] = first
  end
  return strings[key] or ''
end

-- The bytes of a range of entries.
local function entries(log, from, to)
  local first, last = (from - 1) * log.width, to * log.width
  if from > to then
    return ''
  elseif last <= #log.known then
    return string.sub(log.known, first + 1, last)
  end
  local added = last - log.stored
  local stored = first < log.stored
      and redis.call('GETRANGE', log.key, log.header + first, log.header + math.min(last, log.stored) - 1) or ''
  return added > 0 and stored .. string.sub(log.added, math.max(0, first - log.stored) + 1, added) or stored
end

local function entry(log, i)
  local from = (i - 1) * log.width
  if from + log.width <= #log.known then
    return (struct.unpack(log.format, log.known, from + 1))
  end
  return (struct.unpack(log.format, entries(log, i, i)))
end

local function time(log, i)
  return log.newest - (log.last - entry(log, i)) % log.modulus
end

-- The first entry that is later than a moment.
local function first_after(log, moment)
  local low, high = 1, log.count + 1
  while low < high do
    local middle = math.floor((low + high) / 2)
    if time(log, middle) > moment then
      high = middle
    else
      low = middle + 1
    end
  end
  return low
end

local function advance(log)
  log.advanced_to, log.first = log.at, first_after(log, log.at - log.counted_by)
end

-- The first entry that has not expired by the clock.
local function live(log)
  return log.at == now and log.first or first_after(log, now - log.counted_by)
end

-- The first entry that counts for a call.
local function first_for_call(log)
  return log.period < log.counted_by and first_after(log, log.at - log.period) or log.first
end

local function set_width(log, width)
  log.width, log.format, log.modulus = width, '>I' .. width, 256 ^ width
end

local function needed_width(log, age)
  local width, modulus, longest = 1, 256, math.max(2 * log.counted_by, age)
  while modulus <= longest do
    width, modulus = width + 1, modulus * 256
  end
  return width
end

-- The entries from one on with more bytes each, for a longer period. Reads the log once, regardless of its length. Entries are sorted and
-- less than one modulus older than the last one. So entries whose bytes are higher than those of the last one get the prefix of the
-- modulus before, all others the prefix of the last one.
local function widened(log, from, width)
  log.known = entries(log, 1, log.count)
  local turn = math.max(from, first_after(log, log.newest - log.last - 1))
  local before, same = entries(log, from, turn - 1), entries(log, turn, log.count)
  local higher = math.floor(log.newest / log.modulus)
  local pattern, format, modulus = string.rep('.', log.width), '>I' .. width - log.width, 256 ^ (width - log.width)
  local function prefix(number)
    return (string.gsub(struct.pack(format, number % modulus), '%%', '%%%%')) .. '%0'
  end
  log.last = higher % modulus * log.modulus + log.last
  set_width(log, width)
  return string.gsub(before, pattern, prefix(higher - 1)) .. string.gsub(same, pattern, prefix(higher))
end

local function needed_header(log)
  return log.at > now and HEADER + AHEAD or HEADER
end

local function header(log)
  if log.at > now then
    return struct.pack('>BI7I6I7I6', log.width + 128, log.newest, log.counted_by, now, log.at - now)
  end
  return struct.pack('>BI7I6', log.width, log.newest, log.counted_by)
end

local function lifetime(log)
  return ttl(log.count > 0 and log.newest + log.counted_by - now or 0)
end

-- Replaces all entries.
local function replace(log, all)
  log.known, log.whole, log.changed = all, true, true
end

-- No limit has more than 10,000 entries; a malformed portion would add billions.
local function take(log, cost)
  check(cost <= 10000)
  if log.advanced_to ~= log.at then
    advance(log)
  end
  local live = live(log)
  local expired = live - 1
  local forget = expired > 0
      and (log.count <= SHORT or expired * 2 >= log.count or now - time(log, 1) >= 2 * log.counted_by)
  local from = forget and live or 1
  local width = needed_width(log, log.at > now and log.count >= from and log.at - time(log, from) or 0)
  local kept = nil
  if log.width < width then
    kept = widened(log, from, width)
  elseif forget or log.count <= SHORT or log.header ~= needed_header(log) then
    kept = entries(log, from, log.count)
  end
  log.last = (log.last + log.at - log.newest) % log.modulus
  log.newest = log.at
  log.count = log.count - (from - 1) + cost
  log.first = log.first - (from - 1)
  local added = string.rep(struct.pack(log.format, log.last), cost)
  if kept or log.whole then
    replace(log, (kept or log.known) .. added)
  else
    log.added, log.changed = log.added .. added, true
  end
end

algorithms[NUMBER] = {
  describe = function(log, bytes, at)
    local denied
    log.max, log.period, denied, at = struct.unpack('>I7I7I7', bytes, at)
    log.count_denied = denied == 1
    return at
  end,

  read = function(log)
    log.at, log.advanced_to, log.newest, log.last, log.count, log.first, log.header = now, now, now, 0, 0, 1, HEADER
    log.corrected, log.changed, log.other, log.counted_by = false, false, false, log.period
    log.known, log.whole, log.stored, log.added = '', true, 0, ''
    local head = head(log.key)
    if head == '' then
      set_width(log, needed_width(log, 0))
      return
    end
    if string.byte(head) >= 128 then
      look_ahead(log, head, HEADER + 1)
      log.header = HEADER + AHEAD
    end
    local width, newest = string.byte(head) % 128
    check(width > 0 and width < 8)
    set_width(log, width)
    newest, log.counted_by = struct.unpack('>I7I6', head, 2)
    log.other = log.counted_by ~= log.period
    log.corrected = log.corrected or newest > log.at
    log.newest = math.min(newest, log.at)
    log.whole = strings[log.key] ~= nil
    log.known = string.sub(head, log.header + 1)
    log.stored = log.whole and #log.known or redis.call('STRLEN', log.key) - log.header
    log.count = log.stored / log.width
    check(log.count % 1 == 0 and is_period(log.counted_by))
    if log.count > 0 then
      log.last = entry(log, log.count)
    else
      log.counted_by, log.other = log.period, false
    end
    advance(log)
  end,

  retry_after = function(log, cost)
    if cost > log.max then
      return -1
    end
    local first = first_for_call(log)
    local excess = log.count - first + 1 + cost - log.max
    return excess <= 0 and 0 or math.max(1, time(log, first + excess - 1) + math.min(log.period, log.counted_by) - log.at)
  end,

  -- Entries that have expired are removed, since they would count again by a longer period. Those that expire before the turn of a call
  -- that waits stay and count by the longer one, since the call may give up.
  convert = function(log)
    if log.advanced_to ~= log.at then
      advance(log)
    end
    if log.period > log.counted_by then
      local live = live(log)
      replace(log, entries(log, live, log.count))
      log.count, log.first = log.count - (live - 1), 1
    end
    log.counted_by, log.other = log.period, false
    advance(log)
  end,

  take = take,

  -- Only the newest max units matter, or as many as counted before if they are more and may matter to other calls. Up to twice max are
  -- kept, so that few denied calls shorten the log.
  take_denied = function(log, cost)
    local newest = math.max(log.max, log.count - log.first + 1)
    take(log, cost)
    if log.count > 2 * log.max then
      local kept = entries(log, log.count - newest + 1, log.count)
      log.first = math.max(1, log.first - (log.count - newest))
      log.count = newest
      replace(log, kept)
    end
  end,

  refund = function(log, cost, from, to)
    local last = first_after(log, to) - 1
    local units = math.min(cost, last - math.min(last, first_after(log, math.max(from - 1, now - log.counted_by)) - 1))
    local kept = entries(log, 1, last - units) .. entries(log, last + 1, log.count)
    local newest_left = units > 0 and last == log.count and last > units and time(log, last - units) or log.newest
    log.last = (log.last - (log.newest - newest_left)) % log.modulus
    log.newest = newest_left
    log.count = log.count - units
    if from > now then
      log.at = log.count == 0 and now or math.max(now, log.newest)
    end
    replace(log, kept)
    advance(log)
  end,

  advance = advance,

  remaining = function(log)
    return math.max(0, log.max - (log.count - (log.other and first_for_call(log) or log.first) + 1))
  end,

  reset_after = function(log)
    return log.first > log.count and 0 or log.newest + log.counted_by - log.at
  end,

  write = function(log)
    if log.header ~= needed_header(log) then
      replace(log, entries(log, 1, log.count))
    end
    if log.whole then
      strings[log.key], lifetimes[log.key] = header(log) .. log.known, lifetime(log)
      return
    end
    redis.call('SETRANGE', log.key, 0, header(log))
    if log.added ~= '' then
      redis.call('APPEND', log.key, log.added)
    end
    redis.call('PEXPIRE', log.key, lifetime(log))
  end
}
