-- What a script that takes units back ends with. A state that equals an unused one then is forgotten.
--
-- KEYS, ARGV: see prelude.lua; the time of a demand is when its units were counted, or a later one for the newest
-- reply:      see each-count.lua; per count 0

return for_each_count(function(count)
  local algorithm = count.algorithm
  if count.cost > 0 and exists(count.key) then
    count.changed = count.corrected
    algorithm.give_back(count, count.cost, math.min(count.demand_time, count.at))
    if count.at - now + algorithm.reset_after(count, 0) == 0 then
      delete(count.key)
      count.changed = false
    end
  end
  return DONE
end)
