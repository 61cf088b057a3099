-- End of a script that decides: one decision per call over all its counts. All counts are checked before one is written. A denied
-- call writes nothing, except where denied calls count (also for a ban) and where a state is corrected. A call that can never be admitted writes
-- no state. If a denied call counts, its wait is computed again afterwards, also for limits that would have admitted it: they may
-- have no units left when the other limits would admit the call.
--
-- KEYS, ARGV: see prelude.lua; the time of a demand is how long the call may wait
-- reply: signed integers of 8 bytes: the time; then per call and count, in order: remaining; retry-after (0: admitted at once, -1:
--        never, 2^52: when other calls end, see slots.lua); reset-after. All times are microseconds. A call is admitted if no demand has to wait longer than it may. Each
--        demand is counted at the time at which the slowest of its counts admits it. Equal calls in a row that are all admitted at once
--        have one answer, see answer_row. The reply to a call that failed is described in calls.lua.

local reply, replies = { struct.pack('>c8i8', call_number, now) }, 1

local function answer(count, retry_after)
  replies = replies + 1
  reply[replies] = struct.pack('>i8i8i8', remaining_now(count), retry_after, reset_after_now(count))
end

-- Answers calls that were taken all together: -2 and the number of calls; then per count: the cost of a call; after the last call, remaining
-- and the time of the state; reset-after from then on, and the refill by which it grows with the cost of each call, see Reply.java.
local function answer_row(counts, calls)
  replies = replies + 1
  reply[replies] = struct.pack('>i8i8', -2, calls)
  for i = 1, #counts do
    local count = counts[i]
    local later = count.held > 0 and count.portions.algorithm.all_counted(count) or count
    local algorithm, units, micros, rounded = later.algorithm, 1, 0, 0
    if algorithm.refill then
      units, micros, rounded = algorithm.refill(later)
    end
    replies = replies + 1
    reply[replies] = struct.pack('>i8i8i8i8i8i8i8', count.cost, remaining_now(count), later.at - now, algorithm.reset_after(later), units,
      micros, rounded)
  end
end

-- Takes as many calls as fit at once, all together, and returns how many.
local function take_fitting(counts, calls)
  for i = 1, #counts do
    local count = counts[i]
    local cost = count.cost
    if cost > 0 then
      local units = remaining_now(count)
      if cost * calls > units then
        calls = (units - units % cost) / cost
      end
      if calls > 1 and count.algorithm.one_by_one then
        calls = 1
      end
    end
  end
  if calls > 0 then
    for i = 1, #counts do
      local count = counts[i]
      if count.cost > 0 then
        if count.other then
          count.algorithm.convert(count)
        end
        count.algorithm.take(count, count.cost * calls)
      elseif count.algorithm.fetch then
        count.algorithm.fetch(count)
      end
    end
    if calls > 1 then
      answer_row(counts, calls)
    else
      for i = 1, #counts do
        answer(counts[i], 0)
      end
    end
  end
  return calls
end

-- Decides one call and returns whether it was counted.
local function decide(counts)
  local waits, slowest, admitted, never, counted = {}, {}, true, false, false
  for i = 1, #counts do
    local count, wait = counts[i], wait_for(counts[i], counts[i].cost)
    waits[i] = wait
    slowest[count.demand] = math.max(wait, slowest[count.demand] or 0)
    never = never or wait == -1
    admitted = admitted and not never and wait <= count.demand_time
  end

  for i = 1, #counts do
    local count = counts[i]
    local algorithm, cost = count.algorithm, count.cost
    if cost > 0 and admitted then
      go_on(count, now + slowest[count.demand])
      if count.other then
        algorithm.convert(count)
      end
      algorithm.take(count, cost)
      counted = true
    elseif cost > 0 and not never
        and (count.count_denied or algorithm.is_denial and algorithm.is_denial(count, slowest[count.demand])) then
      algorithm.take_denied(count, cost)
      waits[i] = wait_for(count, cost)
      counted = true
    elseif cost > 0 and not count.peeks then
      count.changed = count.changed or count.corrected and not never
      -- A key without a time to live gets one.
      if not lifetimes[count.key] and redis.call('PTTL', count.key) == -1 then
        redis.call('PEXPIRE', count.key, ttl(count.at - now + algorithm.reset_after(count)))
      end
    end
    answer(count, waits[i])
  end
  return counted
end

local function decide_row(counts, key, calls)
  read(counts, key)
  calls = calls - take_fitting(counts, calls)
  while calls > 0 do
    local before = replies
    calls = calls - 1
    if not decide(counts) and calls > 0 then
      -- The following calls of the row get the same answer, since nothing has changed.
      replies = replies + 1
      reply[replies] = string.rep(table.concat(reply, '', before + 1, replies - 1), calls)
      calls = 0
    end
  end
  write(counts)
end

local rows, key = ARGV[1], 0
for at = 1, #rows, 4 do
  local which, calls = struct.unpack('>I2I2', rows, at)
  local counts, before = counts_of_calls[which], replies
  local decided, failure = pcall(decide_row, counts, key, calls)
  if not decided then
    replies = before + 1
    reply[replies] = string.rep(failure_of(failure), calls)
  end
  key = key + #counts
end
write_strings()
return table.concat(reply, '', 1, replies)
