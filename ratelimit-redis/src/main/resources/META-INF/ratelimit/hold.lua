-- End of a script that makes calls hold their slots which this instance has recorded, even if Redis has forgotten them. Units of other
-- algorithms stay as they are.
--
-- KEYS, ARGV: see prelude.lua; the time of a demand is not used
-- reply:      see each-count.lua; per count of slots 1 if the call holds them now, 0 if too few are free; per other count 0

return for_each_count(function(count)
  local hold = count.cost > 0 and count.algorithm.hold
  return hold and struct.pack('>i8', hold(count, count.cost)) or DONE
end)
