-- Beginning of scripts that change something at run time: the history of the latest changes. Each entry has one name=value per line, see
-- RecordedChange.java.

local function note_change(history, by, rule, from, to, key)
  if from == to then
    return
  end
  local time = redis.call('TIME')
  local entry = 'at=' .. string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000)) .. '\nby=' .. by .. '\nrule=' .. rule
    .. '\nfrom=' .. string.gsub(from, '%c', ' ') .. '\nto=' .. string.gsub(to, '%c', ' ')
  redis.call('LPUSH', history, key and entry .. '\nkey=' .. key or entry)
  redis.call('LTRIM', history, 0, 99)
end

