-- What a script ends with that counts units which were admitted elsewhere: of each count as many as fit now.
--
-- KEYS, ARGV: see prelude.lua; demands have no time

for_each_count(function(_, count, state)
  local algorithm = count.algorithm
  if count.cost > 0 then
    algorithm.settle(state)
    local fitting = state.at > now and 0 or math.min(count.cost, algorithm.remaining(state))
    if fitting > 0 then
      algorithm.take(state, fitting)
    end
  end
end)
write_strings()
return ''
