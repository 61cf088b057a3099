-- What a script that decides ends with: one decision over all counts. Check all, then write all; a denied call writes nothing,
-- except where denied calls count too. How long those have to wait is told anew then, and that by limits which had room for
-- them as well: they may have none any more when the others would admit the call.
--
-- KEYS:  one per count
-- ARGV:  the time (see prelude.lua); per demand: how many counts it has, how long the call may wait; and per count of it: the
--        name of its algorithm, the cost, the algorithm's parameters
-- reply: signed integers of 8 bytes: the time; per count, in order: remaining, retry-after (0: admitted at once, -1: never)
--        and reset-after, all in microseconds. The call is admitted when no demand has to wait longer than it may; then the
--        counts of each take it as of the time at which the slowest of them lets it pass.

local function longer(one, other)
  return (one == -1 or other == -1) and -1 or math.max(one, other)
end

local counts, admitted, never = {}, true, false

for_each_count(function(demand, count)
  count.retry_after = wait_for(count.algorithm, count.state, count.cost)
  demand.wait = longer(demand.wait or 0, count.retry_after)
  counts[#counts + 1] = count
end, function(demand)
  never = never or demand.wait == -1
  admitted = admitted and demand.wait ~= -1 and demand.wait <= demand.time
end)

local reply = { struct.pack('>i8', now) }
for i = 1, #counts do
  local count = counts[i]
  local algorithm, state = count.algorithm, count.state
  if count.cost > 0 and admitted then
    state.at = now + count.demand.wait
    algorithm.take(state, count.cost)
  elseif count.cost > 0 and state.count_denied and not never then
    algorithm.take_denied(state, count.cost)
    count.retry_after = wait_for(algorithm, state, count.cost)
  elseif count.cost > 0 then
    algorithm.settle(state)
    mend(state, algorithm.reset_after(state))
  end
  local remaining = state.at > now and 0 or algorithm.remaining(state)
  local reset_after = state.at - now + algorithm.reset_after(state)
  reply[i + 1] = struct.pack('>i8i8i8', remaining, count.retry_after, reset_after)
end
return table.concat(reply)
