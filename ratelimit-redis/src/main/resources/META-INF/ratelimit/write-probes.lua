-- Writes keys that nothing else uses, to find out which keys one script reaches.
--
-- KEYS:  the keys
-- reply: the identifier of the server, if the user may see it

for i = 1, #KEYS do
  redis.call('SET', KEYS[i], '', 'PX', 60000)
end
local seen, info = pcall(redis.call, 'INFO', 'server')
return call_number .. (seen and type(info) == 'string' and string.match(info, 'run_id:(%w+)') or '')
