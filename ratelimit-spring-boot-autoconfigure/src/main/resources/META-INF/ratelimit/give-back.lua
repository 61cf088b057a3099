-- What a script that takes units back ends with. A state that equals an unused one then is forgotten.
--
-- KEYS: one per count
-- ARGV: the time (see prelude.lua); per demand: how many counts it has, the time at which its units were counted, or a later
--       one for the newest; and per count of it: the name of its algorithm, the cost, the algorithm's parameters

for_each_count(function(demand, count)
  local algorithm, state = count.algorithm, count.state
  if count.cost > 0 and redis.call('EXISTS', state.key) == 1 then
    algorithm.settle(state)
    algorithm.give_back(state, count.cost, math.min(demand.time, state.at))
    if state.at - now + algorithm.reset_after(state) == 0 then
      redis.call('DEL', state.key)
    end
  end
end)
return ''
