-- Keeps another text for a rule, unless somebody else did meanwhile, and tells it. Not to be allowed to tell it is no failure:
-- everybody looks now and then.
--
-- KEYS:  the hash: texts by the names of rules, and the version
-- ARGV:  the rule; the text it has, empty for none; the same in another encoding; the text it gets, empty for none; the new
--        version; the channel
-- reply: empty; "conflict" if it has another text; or why it could not be told

local stored = redis.call('HGET', KEYS[1], ARGV[1]) or ''
if stored ~= ARGV[2] and stored ~= ARGV[3] then
  return 'conflict'
end
redis.call('HSET', KEYS[1], ':version', ARGV[5])
if ARGV[4] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[4])
end
local told = redis.pcall('PUBLISH', ARGV[6], ARGV[5])
return type(told) == 'table' and told.err or ''
