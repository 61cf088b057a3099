-- End of a script that charges units which were admitted elsewhere: as many as fit, as if they were taken now or, if calls wait here
-- or there, when the last of them goes on.
--
-- KEYS, ARGV: see prelude.lua; the time of a demand is how long the last of its calls waits
-- reply:      see each-count.lua; per count the units that were counted

return for_each_count(function(count)
  if count.cost > 0 then
    local algorithm, turn = count.algorithm, math.max(count.at, now + count.demand_time)
    count.changed = count.corrected
    if now + wait_for(count, 1) <= turn then
      go_on(count, turn)
      algorithm.advance(count)
      local units = math.min(count.cost, algorithm.remaining(count) - count.held)
      if count.other then
        algorithm.convert(count)
      end
      algorithm.take(count, units)
      return struct.pack('>i8', units)
    end
  end
  return DONE
end)
