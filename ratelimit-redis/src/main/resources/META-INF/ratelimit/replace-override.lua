-- Replaces the override of a rule, unless another instance did so meanwhile, and publishes the new version. A missing permission to
-- publish is no failure, since all instances poll.
--
-- KEYS:  the hash: the override of each rule by the name of the rule, and the version; the history
-- ARGV:  the rule; the present override, empty for none; the same in another encoding; the new override, empty for none; the new
--        version; the channel; who makes the change
-- reply: empty; "conflict" if the present override is another one; or the error of the publication

local stored = redis.call('HGET', KEYS[1], ARGV[1]) or ''
if stored ~= ARGV[2] and stored ~= ARGV[3] then
  return call_number .. 'conflict'
end
redis.call('HSET', KEYS[1], ':version', ARGV[5])
if ARGV[4] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[4])
end
note_change(KEYS[2], ARGV[7], ARGV[1], stored, ARGV[4])
local published = redis.pcall('PUBLISH', ARGV[6], ARGV[5])
return call_number .. (type(published) == 'table' and published.err or '')
