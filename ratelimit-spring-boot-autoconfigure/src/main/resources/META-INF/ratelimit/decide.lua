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

local function read(plan, key)
  local states = {}
  for i = 1, #plan do
    local demand = plan[i]
    for j = 1, #demand do
      states[#states + 1] = demand[j].algorithm.read(KEYS[key + #states], demand[j].limit)
    end
  end
  return states
end

local function write(plan, states)
  local next = 1
  for i = 1, #plan do
    local demand = plan[i]
    for j = 1, #demand do
      if states[next].changed then
        demand[j].algorithm.write(states[next])
      end
      next = next + 1
    end
  end
end

local function decide(plan, states, outcomes)
  local waits, next, admitted, never = {}, 1, true, false
  for i = 1, #plan do
    local demand, wait = plan[i], 0
    for j = 1, #demand do
      local state = states[next]
      state.retry_after = wait_for(demand[j].algorithm, state, demand[j].cost)
      wait = longer(wait, state.retry_after)
      next = next + 1
    end
    waits[i] = wait
    never = never or wait == -1
    admitted = admitted and wait ~= -1 and wait <= demand.time
  end

  next = 1
  for i = 1, #plan do
    local demand = plan[i]
    for j = 1, #demand do
      local algorithm, cost, state = demand[j].algorithm, demand[j].cost, states[next]
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
      next = next + 1
    end
  end
end

local function decide_row(plan, key, calls)
  local states, outcomes = read(plan, key), {}
  for _ = 1, calls do
    decide(plan, states, outcomes)
  end
  write(plan, states)
  return table.concat(outcomes)
end

local reply = { struct.pack('>i8', now) }
for_each_row(function(plan, key, calls)
  local decided, outcomes = pcall(decide_row, plan, key, calls)
  if not decided then
    local message = type(outcomes) == 'table' and outcomes.err or tostring(outcomes)
    outcomes = string.rep(struct.pack('>i8i8', -1, #message) .. message, calls)
  end
  reply[#reply + 1] = outcomes
end)
write_strings()
return table.concat(reply)
