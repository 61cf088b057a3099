-- What a script ends with that only looks: what each count would say to a call, as of now. Writes nothing.
--
-- KEYS, ARGV: see prelude.lua; demands have no time
-- reply:      as of decide.lua

return for_each_count(function(count)
  local ahead, algorithm = count.at - now, count.algorithm
  local remaining = ahead > 0 and 0 or algorithm.remaining(count)
  return struct.pack('>i8i8i8', remaining, wait_for(count), ahead + algorithm.reset_after(count, 0))
end)
