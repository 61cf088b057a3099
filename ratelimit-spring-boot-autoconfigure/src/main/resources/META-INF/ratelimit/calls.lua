-- What calls ask. Comes behind the algorithms.
--
-- ARGV[2]: the calls, in rows of as many as ask the same of the same keys one after the other. Per row 4 bytes: which plan, and
--          how many calls
-- ARGV[3]: the plans. Per plan 2 bytes: how many counts it has. Per count 1 byte: the number of its algorithm; 2 bytes: which
--          demand of the call it belongs to; 7 bytes each: the time of that demand, the cost, the numbers that describe the limit

local plans = {}
do
  local told, at, counts = ARGV[3], 1, 0
  while at <= #told do
    local plan = {}
    counts, at = struct.unpack('>I2', told, at)
    for i = 1, counts do
      local algorithm = algorithms[string.byte(told, at)]
      local count, next = algorithm.told(told, at + 1)
      count.algorithm = algorithm
      plan[i], at = count, next
    end
    plans[#plans + 1] = plan
  end
end

-- What the reply says of a call that failed, since a key is not what it should be: -1 and the number of bytes of a message, in 8
-- bytes each, and the message.
local function failure_of(error)
  local message = type(error) == 'table' and error.err or tostring(error)
  return struct.pack('>i8i8', -1, #message) .. message
end
