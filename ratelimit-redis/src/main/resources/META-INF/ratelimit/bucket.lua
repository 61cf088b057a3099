-- bucket: the stored form of buckets, see token-bucket.lua and settled.lua, which read and write it.

local BUCKET, BEYOND, KNOWN, LOWERED = 27, 2 ^ 47, 254, 253

-- Whether known_since follows; it may be something else, see settled.lua.
local function is_known(stored)
  local byte = string.byte(stored, BUCKET + 1)
  return byte == KNOWN or byte == LOWERED
end

local function scale(micros)
  return micros <= 2 ^ 43 and math.floor(2 ^ 44 / micros) or 1
end
