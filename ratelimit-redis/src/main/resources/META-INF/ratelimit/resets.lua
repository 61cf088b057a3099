-- resets: the time of the latest reset of a key, as long as units that it has forgotten would have counted. Refunds and debts of calls that
-- were decided before and have waited change nothing: they would change units of newer calls. Other calls are earlier than known_since.
-- Only reset.lua writes it.
--
-- stored: one string of 7 bytes: the time, in microseconds

algorithms[NUMBER] = {
  describe = function(reset, _, at, counts)
    counts.reset = reset
    return at
  end,

  -- The time of the demand is when the call was decided.
  read = function(reset)
    local stored = redis.call('GET', reset.key)
    reset.is_newer = stored and struct.unpack('>I7', stored) >= reset.demand_time
  end
}
