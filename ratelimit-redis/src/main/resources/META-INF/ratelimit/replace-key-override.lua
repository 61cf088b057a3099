-- Replaces the override of a key, notes the change and publishes it. A missing permission to publish is no failure, since all instances
-- poll.
--
-- KEYS:  the last three are the history; the hash: the override of each key of the rule; and the list of the latest changes
-- ARGV:  the key; the present override, empty for none, "*" for any; the new override without its end, empty to remove it; how many
--        milliseconds it lasts, or empty; its end in milliseconds, or empty; how many overrides a rule may have; how many changes are
--        remembered; the identifier of the change; the rule; the
--        channel; the time in microseconds, 0 for that of the server; who makes the change
-- reply: "done", perhaps followed by the error of the publication; or "conflict", "absent", "full"

local overrides, changes = KEYS[#KEYS - 1], KEYS[#KEYS]
local stored = redis.call('HGET', overrides, ARGV[1])
if ARGV[2] ~= '*' and (stored or '') ~= ARGV[2] then
  return call_number .. 'conflict'
end
local changed = ARGV[3]
if changed == '' then
  if not stored then
    return call_number .. 'absent'
  end
  redis.call('HDEL', overrides, ARGV[1])
else
  if not stored and redis.call('HLEN', overrides) >= tonumber(ARGV[6]) then
    return call_number .. 'full'
  end
  local ending = ARGV[5]
  if ARGV[4] ~= '' then
    local time = redis.call('TIME')
    local given = tonumber(ARGV[11])
    local now = given > 0 and given or time[1] * 1000000 + time[2]
    ending = string.format('%.0f', math.floor(now / 1000) + ARGV[4])
  end
  changed = (ending ~= '' and 'until=' .. ending .. ' ' or '') .. changed
  redis.call('HSET', overrides, ARGV[1], changed)
end
local change = ARGV[8] .. ' ' .. ARGV[9] .. ':' .. ARGV[1]
redis.call('LPUSH', changes, change)
redis.call('LTRIM', changes, 0, ARGV[7] - 1)
note_change(KEYS[#KEYS - 2], ARGV[12], ARGV[9], stored or '', changed, ARGV[1])
local published = redis.pcall('PUBLISH', ARGV[10], change)
return call_number .. 'done' .. (type(published) == 'table' and published.err or '')
