-- What every script ends with: one decision over all limits. Check all, then write all; a denied call writes nothing.
--
-- KEYS:  one per limit
-- ARGV:  the time (see prelude.lua), then per limit: the name of its algorithm, the cost, the algorithm's parameters
-- reply: per limit, in order, three signed integers of 8 bytes: remaining, retry-after (0: admitted, -1: never) and
--        reset-after, in microseconds. The call is admitted when every retry-after is 0.

local limits, admitted, at = {}, true, 2
for i = 1, #KEYS do
  local algorithm = algorithms[ARGV[at]]
  local cost = tonumber(ARGV[at + 1])
  local state = algorithm.read(KEYS[i], at + 2)
  local retry_after = algorithm.retry_after(state, cost)
  admitted = admitted and retry_after == 0
  limits[i] = { algorithm = algorithm, cost = cost, state = state, retry_after = retry_after }
  at = at + 2 + algorithm.parameters
end

local reply = {}
for i = 1, #KEYS do
  local limit = limits[i]
  local algorithm, state = limit.algorithm, limit.state
  if limit.cost > 0 and admitted then
    algorithm.take(state, limit.cost)
  elseif limit.cost > 0 then
    algorithm.settle(state)
    mend(KEYS[i], algorithm.reset_after(state))
  end
  reply[i] = struct.pack('>i8i8i8', algorithm.remaining(state), limit.retry_after, algorithm.reset_after(state))
end
return table.concat(reply)
