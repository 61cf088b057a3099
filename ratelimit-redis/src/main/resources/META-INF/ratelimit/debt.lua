-- debt: units that calls took beyond those that they were admitted with. Precedes the algorithms.
--
-- An algorithm with a debt adds to its functions, behind a line `-- debt` that other scripts leave out:
--   owe(count, units, counted_at)  counts units, regardless of the limit, as if they had been taken at a time, count.at at the latest. Does
--                            nothing if the window of that time is over, or if it is before known_since and the call has taken units

-- The most units that a window or bucket holds with those that are owed. With the cost of another call, they fit in its four bytes with a bit
-- to spare.
local MOST_OWED = 2 ^ 30

-- A number of units with those that are owed, not more than `most`.
local function owed(units, more, most)
  return math.max(units, math.min(units + more, most))
end
