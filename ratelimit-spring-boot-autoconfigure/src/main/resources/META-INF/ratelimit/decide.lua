-- What a script that decides ends with: one decision per call, over all its counts, in order. Check all, then write all; a
-- denied call writes nothing, except where denied calls count too. How long those have to wait is told anew then, and that by
-- limits which had room for them as well: they may have none any more when the others would admit the call.
--
-- KEYS, ARGV: see prelude.lua; the time of a demand is how long the call may wait
-- reply: signed integers of 8 bytes: the time; per call and count, in order: remaining, retry-after (0: admitted at once, -1:
--        never) and reset-after, all in microseconds. A call is admitted when no demand has to wait longer than it may; then
--        the counts of each take it as of the time at which the slowest of them lets it pass. A call that fails has another
--        reply instead, see calls.lua.

local reply, said = { struct.pack('>i8', now) }, 1

local function say(count, retry_after, later)
  local algorithm, ahead = count.algorithm, count.at - now
  local remaining = ahead > 0 and 0 or algorithm.remaining(count) + later
  said = said + 1
  reply[said] = struct.pack('>i8i8i8', remaining, retry_after, ahead + algorithm.reset_after(count, later))
end

-- Takes as many calls as fit at once, and tells how many. They are taken together: what is left by each, and when it would come
-- back, follows from what those after it take.
local function take_fitting(plan, calls)
  for i = 1, #plan do
    local count = plan[i]
    local cost = count.cost
    if cost > 0 then
      local room = count.at > now and 0 or count.algorithm.remaining(count)
      if cost * calls > room then
        calls = (room - room % cost) / cost
      end
      if calls > 1 and count.algorithm.one_by_one then
        calls = 1
      end
    end
  end
  if calls > 0 then
    for i = 1, #plan do
      local count = plan[i]
      if count.cost > 0 then
        count.algorithm.take(count, count.cost * calls)
      end
    end
    for later = calls - 1, 0, -1 do
      for i = 1, #plan do
        say(plan[i], 0, later * plan[i].cost)
      end
    end
  end
  return calls
end

-- Decides one call, and tells whether it was counted.
local function decide(plan)
  local waits, slowest, admitted, never, counted = {}, {}, true, false, false
  for i = 1, #plan do
    local count, wait = plan[i], wait_for(plan[i])
    waits[i] = wait
    slowest[count.demand] = math.max(wait, slowest[count.demand] or 0)
    never = never or wait == -1
    admitted = admitted and not never and wait <= count.demand_time
  end

  for i = 1, #plan do
    local count = plan[i]
    local algorithm, cost = count.algorithm, count.cost
    if cost > 0 and admitted then
      count.at = now + slowest[count.demand]
      algorithm.take(count, cost)
      counted = true
    elseif cost > 0 and count.count_denied and not never then
      algorithm.take_denied(count, cost)
      waits[i] = wait_for(count)
      counted = true
    elseif cost > 0 then
      count.changed = count.changed or count.corrected
      -- A key that lost its time to live gets a new one.
      if not lifetimes[count.key] and redis.call('PTTL', count.key) == -1 then
        redis.call('PEXPIRE', count.key, ttl(count.at - now + algorithm.reset_after(count, 0)))
      end
    end
    say(count, waits[i], 0)
  end
  return counted
end

local function decide_row(plan, key, calls)
  for i = 1, #plan do
    local count = plan[i]
    count.key = KEYS[key + i]
    count.algorithm.read(count)
  end
  calls = calls - take_fitting(plan, calls)
  while calls > 0 do
    local before = said
    calls = calls - 1
    if not decide(plan) and calls > 0 then
      -- Nothing has changed for those that follow.
      said = said + 1
      reply[said] = string.rep(table.concat(reply, '', before + 1, said - 1), calls)
      calls = 0
    end
  end
  for i = 1, #plan do
    local count = plan[i]
    if count.changed then
      count.algorithm.write(count)
    end
  end
end

local rows, key = ARGV[2], 0
for at = 1, #rows, 4 do
  local which, calls = struct.unpack('>I2I2', rows, at)
  local plan, before = plans[which], said
  local decided, failure = pcall(decide_row, plan, key, calls)
  if not decided then
    said = before + 1
    reply[said] = string.rep(failure_of(failure), calls)
  end
  key = key + #plan
end
write_strings()
return table.concat(reply, '', 1, said)
