-- What a script ends with that counts units which were admitted elsewhere: of each count as many as fit now.
--
-- KEYS, ARGV: see prelude.lua; demands have no time
-- reply:      see each-count.lua; per count 0

return for_each_count(function(count)
  if count.cost > 0 then
    count.changed = count.corrected
    local fitting = count.at > now and 0 or math.min(count.cost, count.algorithm.remaining(count))
    if fitting > 0 then
      count.algorithm.take(count, fitting)
    end
  end
  return DONE
end)
