-- What scripts have in common that do not decide. Each call is done or fails alone: the reply says which.
--
-- reply: signed integers of 8 bytes: the time; per call and count, in order, what the count is asked for. A call that fails has
--        another reply instead, see calls.lua.

local DONE = struct.pack('>i8', 0)

local function exists(key)
  if strings[key] == nil then
    return redis.call('EXISTS', key) == 1
  end
  return strings[key] and strings[key] ~= ''
end

local function delete(key)
  strings[key], lifetimes[key] = false, 0
end

-- All counts of a call are read before one of them changes: a call that fails, since a key is not what it should be, has changed
-- nothing.
local function do_call(plan, key, on_count)
  for i = 1, #plan do
    local count = plan[i]
    count.key = KEYS[key + i]
    count.algorithm.read(count)
  end
  local replies = {}
  for i = 1, #plan do
    local count = plan[i]
    replies[i] = on_count(count)
    if count.changed then
      count.algorithm.write(count)
    end
  end
  return table.concat(replies)
end

-- Goes through the counts of all calls, writes those that have changed, and replies what on_count returns.
local function for_each_count(on_count)
  local rows, key, reply = ARGV[2], 0, { struct.pack('>i8', now) }
  for at = 1, #rows, 4 do
    local which, calls = struct.unpack('>I2I2', rows, at)
    local plan = plans[which]
    for _ = 1, calls do
      local done, result = pcall(do_call, plan, key, on_count)
      reply[#reply + 1] = done and result or failure_of(result)
    end
    key = key + #plan
  end
  write_strings()
  return table.concat(reply)
end
