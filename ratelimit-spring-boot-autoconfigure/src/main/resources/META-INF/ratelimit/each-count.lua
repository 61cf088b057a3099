-- What scripts have in common that do not decide.

local function exists(key)
  if strings[key] == nil then
    return redis.call('EXISTS', key) == 1
  end
  return strings[key] and strings[key] ~= ''
end

local function delete(key)
  set(key, false, 0)
end

-- Goes through the counts of all calls, and writes those that have changed.
local function for_each_count(on_count)
  for_each_row(function(plan, first, calls)
    for _ = 1, calls do
      local key = first
      for i = 1, #plan do
        local demand = plan[i]
        for j = 1, #demand do
          local count = demand[j]
          local state = count.algorithm.read(KEYS[key], count.limit)
          on_count(demand, count, state)
          if state.changed then
            count.algorithm.write(state)
          end
          key = key + 1
        end
      end
    end
  end)
end
