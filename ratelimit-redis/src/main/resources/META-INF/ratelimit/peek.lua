-- End of a script that peeks: the answer of each count to a call now. Writes nothing.
--
-- KEYS, ARGV: see prelude.lua; the time of a demand is not used
-- reply:      as in decide.lua

return for_each_count(function(count)
  return struct.pack('>i8i8i8', remaining_now(count), wait_for(count, count.cost), reset_after_now(count))
end)
