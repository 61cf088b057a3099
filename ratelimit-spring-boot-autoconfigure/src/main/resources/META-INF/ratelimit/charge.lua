-- What a script ends with that counts units which were admitted elsewhere: of each count as many as fit now.
--
-- KEYS: one per count
-- ARGV: the time (see prelude.lua); per demand: how many counts it has, 0; and per count of it: the name of its algorithm, the
--       units, the algorithm's parameters

for_each_count(function(_, count)
  local algorithm, state = count.algorithm, count.state
  if count.cost > 0 then
    algorithm.settle(state)
    local fitting = state.at > now and 0 or math.min(count.cost, algorithm.remaining(state))
    if fitting > 0 then
      algorithm.take(state, fitting)
    end
  end
end)
return ''
