-- What a script that decides ends with: one decision per call, over all its counts, in order. Check all, then write all; a
-- denied call writes nothing, except where denied calls count too. How long those have to wait is told anew then, and that by
-- limits which had room for them as well: they may have none any more when the others would admit the call.
--
-- KEYS, ARGV: see prelude.lua; the time of a demand is how long the call may wait
-- reply: signed integers of 8 bytes: the time; per call and count, in order: remaining, retry-after (0: admitted at once, -1:
--        never) and reset-after, all in microseconds. A call is admitted when no demand has to wait longer than it may; then
--        the counts of each take it as of the time at which the slowest of them lets it pass. A call that fails, since a key
--        is not what it should be, has this instead: -1, the number of bytes of a message, the message.

local function longer(one, other)
  return (one == -1 or other == -1) and -1 or math.max(one, other)
end

local function decide(plan, key)
  local states, waits, admitted, never = {}, {}, true, false
  for i = 1, #plan do
    local demand, wait = plan[i], 0
    for j = 1, #demand do
      local count = demand[j]
      local state = count.algorithm.read(KEYS[key + #states], count.limit)
      state.retry_after = wait_for(count.algorithm, state, count.cost)
      wait = longer(wait, state.retry_after)
      states[#states + 1] = state
    end
    waits[i] = wait
    never = never or wait == -1
    admitted = admitted and wait ~= -1 and wait <= demand.time
  end

  local outcomes = {}
  for i = 1, #plan do
    local demand = plan[i]
    for j = 1, #demand do
      local algorithm, cost, state = demand[j].algorithm, demand[j].cost, states[#outcomes + 1]
      if cost > 0 and admitted then
        state.at = now + waits[i]
        algorithm.take(state, cost)
      elseif cost > 0 and state.count_denied and not never then
        algorithm.take_denied(state, cost)
        state.retry_after = wait_for(algorithm, state, cost)
      elseif cost > 0 then
        algorithm.settle(state)
        mend(state, algorithm.reset_after(state))
      end
      local remaining = state.at > now and 0 or algorithm.remaining(state)
      local reset_after = state.at - now + algorithm.reset_after(state)
      outcomes[#outcomes + 1] = struct.pack('>i8i8i8', remaining, state.retry_after, reset_after)
    end
  end
  return table.concat(outcomes)
end

local reply = { struct.pack('>i8', now) }
for_each_call(function(plan, key)
  local decided, outcome = pcall(decide, plan, key)
  if not decided then
    local message = type(outcome) == 'table' and outcome.err or tostring(outcome)
    outcome = struct.pack('>i8i8', -1, #message) .. message
  end
  reply[#reply + 1] = outcome
end)
write_strings()
return table.concat(reply)
