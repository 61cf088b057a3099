-- End of a script that makes calls hold their slots which this instance has recorded, even if Redis has forgotten them. Units of other
-- algorithms stay as they are.
--
-- KEYS, ARGV: see prelude.lua; the time of a demand is not used
-- reply:      see each-count.lua; per count 1, except 0 if it is one of slots and too few are free

return for_each_count(function(count)
  local hold = count.cost ~= 0 and count.algorithm.hold
  return struct.pack('>i8', hold and not hold(count, count.cost) and 0 or 1)
end)
