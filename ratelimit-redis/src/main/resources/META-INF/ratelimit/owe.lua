-- End of a script that counts units which calls took beyond those that they were admitted with, see debt.lua. Nothing changes if the state
-- equals an unused one although the call has taken units.
--
-- KEYS, ARGV: see prelude.lua; the time of a demand is when its call was counted, and its number is 1 if the call had taken nothing
-- reply:      see each-count.lua; per count 0

correcting = true
return for_each_count(function(count)
  local algorithm = count.algorithm
  if count.cost > 0 and (count.demand == 1 or count.at - now + algorithm.reset_after(count) > 0) then
    count.changed = count.corrected
    algorithm.owe(count, count.cost, math.min(count.demand_time, count.at))
  end
  return DONE
end)
