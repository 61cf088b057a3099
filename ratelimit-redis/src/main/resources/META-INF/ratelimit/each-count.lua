-- Loop over the counts of all calls, for scripts that do not decide. Each call succeeds or fails on its own.
--
-- reply: signed integers of 8 bytes: the time; then per call and count, in order, the result of the function. The reply to a call
--        that failed is described in calls.lua.

local DONE = struct.pack('>i8', 0)

-- The time of units that are those of no call, and of slots, which belong to their call whenever it was decided.
local NEWEST = 2 ^ 53

local function exists(key)
  if strings[key] == nil then
    return redis.call('EXISTS', key) == 1
  end
  return (strings[key] or '') ~= ''
end

local function delete(key)
  strings[key], lifetimes[key] = false, 0
end

-- Reads all counts of a call before it changes one: a call that fails, because a key has the wrong type for example, changes nothing.
local function do_call(counts, key, on_count)
  read(counts, key)
  local replies, size, forgotten = {}, #counts, false
  if counts.reset then
    size, forgotten = size - 1, counts.reset.is_newer
  end
  for i = 1, size do
    replies[i] = forgotten and counts[i].demand_time < NEWEST and DONE or on_count(counts[i])
  end
  write(counts)
  return table.concat(replies)
end

-- Calls a function for each count, writes the counts that changed, and returns the reply.
local function for_each_count(on_count)
  local rows, key, reply = ARGV[1], 0, { struct.pack('>c8i8', call_number, now) }
  for at = 1, #rows, 4 do
    local which, calls = struct.unpack('>I2I2', rows, at)
    local counts = counts_of_calls[which]
    for _ = 1, calls do
      local done, result = pcall(do_call, counts, key, on_count)
      reply[#reply + 1] = done and result or failure_of(result)
    end
    key = key + #counts
  end
  write_strings()
  return table.concat(reply)
end
