-- What a script ends with that only looks: what each count would say to a call, as of now. Writes nothing.
--
-- KEYS, ARGV: see prelude.lua; demands have no time
-- reply:      as of decide.lua

local reply = { struct.pack('>i8', now) }
for_each_count(function(_, count, state)
  local algorithm = count.algorithm
  local remaining = state.at > now and 0 or algorithm.remaining(state)
  local reset_after = state.at - now + algorithm.reset_after(state)
  reply[#reply + 1] = struct.pack('>i8i8i8', remaining, wait_for(algorithm, state, count.cost), reset_after)
end)
return table.concat(reply)
