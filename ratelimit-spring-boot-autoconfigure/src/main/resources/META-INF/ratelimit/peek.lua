-- End of a script that peeks: what each count would answer to a call now. Writes nothing.
--
-- KEYS, ARGV: see prelude.lua; the time of a demand is not used
-- reply:      as of decide.lua

return for_each_count(function(count)
  local ahead, algorithm = count.at - now, count.algorithm
  local remaining = ahead > 0 and 0 or algorithm.remaining(count)
  return struct.pack('>i8i8i8', remaining, wait_for(count), ahead + algorithm.reset_after(count, 0))
end)
