-- What scripts have in common that do not decide.

local function exists(key)
  if strings[key] == nil then
    return redis.call('EXISTS', key) == 1
  end
  return strings[key] and strings[key] ~= ''
end

local function delete(key)
  strings[key], lifetimes[key] = false, 0
end

-- Goes through the counts of all calls, and writes those that have changed.
local function for_each_count(on_count)
  local rows, key = ARGV[2], 0
  for at = 1, #rows, 4 do
    local which, calls = struct.unpack('>I2I2', rows, at)
    local plan = plans[which]
    for _ = 1, calls do
      for i = 1, #plan do
        local count = plan[i]
        count.key = KEYS[key + i]
        count.algorithm.read(count)
        on_count(count)
        if count.changed then
          count.algorithm.write(count)
        end
      end
    end
    key = key + #plan
  end
end
