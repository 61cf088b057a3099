-- Replaces the override of a rule or of a key, notes the change and publishes it. The removal of one that is absent is noted, too: instances
-- may still know one that others have deleted. One that has ended is absent, although it is stored until an instance removes it. A missing
-- permission to publish is no failure, since all instances poll. Each entry of the history has one name=value per line, see
-- RecordedChange.java.
--
-- KEYS:  the hash: the override of each rule by the name of the rule, and the version, whose name is that of the channel; the history;
--        the list of the latest changes of keys; the hash that changes: the first one, or the override of each key of a rule
-- ARGV:  the name of the rule, or the key; the present override, empty for none, "*" for any; the same in another encoding; the new
--        override without its end, empty to remove it; how many milliseconds it lasts, or empty; its end in milliseconds, or empty;
--        the rule of the key, empty for the override of a rule; how many overrides of keys a rule may have; how many changes of keys
--        are remembered; the identifier of the change; the time in microseconds, 0 for that of the server; who makes the change
-- reply: "done", perhaps followed by the error of the publication; or "conflict", "absent", "full"

local overrides, name, expected, changed, rule = KEYS[4], ARGV[1], ARGV[2], ARGV[4], ARGV[7]
local stored = redis.call('HGET', overrides, name)
local from = stored or ''
if expected ~= '*' and from ~= expected and from ~= ARGV[3] then
  return call_number .. 'conflict'
end
local time, result = redis.call('TIME'), 'done'
local given = tonumber(ARGV[11])
local now = math.floor((given > 0 and given or time[1] * 1000000 + time[2]) / 1000)
local stored_end = string.match(from, '^until=(%d+) ')
local is_over = stored_end and tonumber(stored_end) <= now
if is_over then
  from = ''
end
if changed ~= '' then
  if not stored and rule ~= '' and redis.call('HLEN', overrides) >= tonumber(ARGV[8]) then
    return call_number .. 'full'
  end
  local ending = ARGV[6]
  if ARGV[5] ~= '' then
    ending = string.format('%.0f', now + ARGV[5])
  end
  changed = (ending ~= '' and 'until=' .. ending .. ' ' or '') .. changed
  redis.call('HSET', overrides, name, changed)
elseif redis.call('HDEL', overrides, name) == 0 or is_over then
  result = 'absent'
end
if rule == '' then
  redis.call('HSET', overrides, ':version', ARGV[10])
else
  redis.call('LPUSH', KEYS[3], ARGV[10] .. ' ' .. rule .. ':' .. name)
  redis.call('LTRIM', KEYS[3], 0, ARGV[9] - 1)
end
if from ~= changed then
  local entry = 'at=' .. string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000)) .. '\nby=' .. ARGV[12]
    .. '\nrule=' .. (rule == '' and name or rule) .. '\nfrom=' .. string.gsub(from, '%c', ' ') .. '\nto=' .. string.gsub(changed, '%c', ' ')
  redis.call('LPUSH', KEYS[2], rule ~= '' and entry .. '\nkey=' .. name or entry)
  redis.call('LTRIM', KEYS[2], 0, 99)
end
local published = redis.pcall('PUBLISH', KEYS[1], ARGV[10])
return call_number .. result .. (result == 'done' and type(published) == 'table' and published.err or '')
