-- Removes a key from the list of bans of its rule. KEYS: the list, see list-ban.lua. ARGV: the key.
redis.call('ZREM', KEYS[1], ARGV[1])
return call_number
