-- What a script that takes units back ends with. A state that equals an unused one then is forgotten.
--
-- KEYS, ARGV: see prelude.lua; the time of a demand is when its units were counted, or a later one for the newest

for_each_count(function(demand, count, state)
  local algorithm = count.algorithm
  if count.cost > 0 and exists(state.key) then
    algorithm.settle(state)
    algorithm.give_back(state, count.cost, math.min(demand.time, state.at))
    if state.at - now + algorithm.reset_after(state) == 0 then
      delete(state.key)
      state.changed = false
    end
  end
end)
write_strings()
return ''
