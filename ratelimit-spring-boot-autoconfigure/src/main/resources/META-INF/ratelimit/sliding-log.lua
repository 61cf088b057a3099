-- sliding-log: the times of the admitted units, oldest first. Twin of SlidingLog.java.
--
-- ARGV:   max, period in microseconds
-- stored: one string
--           1 byte   width, the bytes of an entry
--           7 bytes  newest, the time of the last admission in microseconds
--           n width  the time of each admitted unit modulo 256^width, oldest first
--
-- All entries are less than two periods older than the newest, and 256^width is more than that, so each one's age is
-- known from its difference to the last. A clock that was set back therefore moves the whole log by writing `newest`.
-- Short logs are read and written whole. Of longer ones only the entries that decide are read, by bisection, and an
-- admission is appended; expired entries are cut off when they are half of the log or two periods old.

local HEADER, SHORT, AT_ONCE = 8, 64, 264

local function entry(log, i)
  local from = HEADER + (i - 1) * log.width
  if from + log.width <= #log.head then
    return (struct.unpack(log.format, log.head, from + 1))
  end
  return (struct.unpack(log.format, redis.call('GETRANGE', log.key, from, from + log.width - 1)))
end

local function time(log, i)
  return log.newest - (log.last - entry(log, i)) % log.modulus
end

local function first_live(log)
  local expired = log.now - log.period
  local low, high = 1, log.count + 1
  while low < high do
    local middle = math.floor((low + high) / 2)
    if time(log, middle) > expired then
      high = middle
    else
      low = middle + 1
    end
  end
  return low
end

local function set_width(log, width)
  log.width, log.format, log.modulus = width, '>I' .. width, 256 ^ width
end

-- Writes the entries from `first` on anew, each with more bytes than before: the period became longer.
local function widen(log, first, width)
  local times = {}
  for i = first, log.count do
    times[#times + 1] = time(log, i)
  end
  set_width(log, width)
  for i = 1, #times do
    times[i] = struct.pack(log.format, times[i] % log.modulus)
  end
  log.last = log.newest % log.modulus
  return table.concat(times)
end

local function needed_width(period)
  local width = 1
  while 256 ^ width <= 2 * period do
    width = width + 1
  end
  return width
end

algorithms['sliding-log'] = {
  parameters = 2,

  read = function(key, at)
    local log = { key = key, max = tonumber(ARGV[at]), period = tonumber(ARGV[at + 1]) }
    log.head = redis.call('GETRANGE', key, 0, AT_ONCE - 1)
    if log.head == '' then
      set_width(log, needed_width(log.period))
      log.newest, log.last, log.count, log.first = now, 0, 0, 1
      log.now = now
      return log
    end
    set_width(log, string.byte(log.head))
    log.newest = struct.unpack('>I7', log.head, 2)
    log.now = math.max(now, log.newest)
    local length = #log.head < AT_ONCE and #log.head or redis.call('STRLEN', key)
    log.count = (length - HEADER) / log.width
    log.last = entry(log, log.count)
    log.first = first_live(log)
    return log
  end,

  retry_after = function(log, cost)
    if cost > log.max then
      return -1
    end
    local excess = log.count - log.first + 1 + cost - log.max
    return excess <= 0 and 0 or time(log, log.first + excess - 1) + log.period - log.now
  end,

  take = function(log, cost)
    local expired = log.first - 1
    local forget = expired > 0
        and (log.count <= SHORT or expired * 2 >= log.count or log.now - time(log, 1) >= 2 * log.period)
    local from = forget and log.first or 1
    local width = needed_width(log.period)
    local kept = nil
    if log.width < width then
      kept = widen(log, from, width)
    elseif forget or log.count <= SHORT then
      kept = redis.call('GETRANGE', log.key, HEADER + (from - 1) * log.width, -1)
    end
    log.last = (log.last + math.max(0, now - log.newest)) % log.modulus
    log.newest, log.now = now, now
    local added = string.rep(struct.pack(log.format, log.last), cost)
    if kept then
      redis.call('SET', log.key, struct.pack('>BI7', log.width, now) .. kept .. added, 'PX', ttl(log.period))
    else
      redis.call('SETRANGE', log.key, 1, struct.pack('>I7', now))
      redis.call('APPEND', log.key, added)
      redis.call('PEXPIRE', log.key, ttl(log.period))
    end
    log.count = log.count - (from - 1) + cost
    log.first = log.first - (from - 1)
  end,

  settle = function(log)
    if log.newest > now then
      redis.call('SETRANGE', log.key, 1, struct.pack('>I7', now))
      redis.call('PEXPIRE', log.key, ttl(log.period))
      log.newest, log.now = now, now
    end
  end,

  remaining = function(log)
    return math.max(0, log.max - (log.count - log.first + 1))
  end,

  reset_after = function(log)
    return log.first > log.count and 0 or log.newest + log.period - log.now
  end
}
