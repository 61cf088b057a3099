-- slots: the units that calls hold which have not ended. The same as Slots.java, for several instances. Followed by the leases of
-- its demand, see leases.lua.
--
-- limit:  max; lease in microseconds, the time after which the units of an instance that died are free; the number of the
--         call is that of its leases
-- stored: a hash
--           'held'           per instance that holds units, 7 bytes: its number; 4 bytes: the units of its calls
--           7 bytes instance and 7 bytes call: the units of that call, as text
--         So a call reads what each instance holds, however many calls hold it.
--
-- A call holds its units once, even if a client repeats it, and frees them once. The units of a dead instance are dropped by the next call that is admitted.

local HELD, KEPT_LEASES, UNKNOWN = 'held', 20, 2 ^ 52

local function field_of(slots)
  return struct.pack('>I7I7', slots.instance, slots.call)
end

-- Adds units of this instance, or removes some.
local function add(slots, units)
  slots.own, slots.held_units, slots.changed = slots.own + units, slots.held_units + units, true
end

local function reset_after(slots)
  return slots.held_units > 0 and KEPT_LEASES * slots.lease or 0
end

local function keep(slots)
  redis.call('PEXPIRE', slots.key, string.format('%d', ttl(reset_after(slots))))
end

local function retry_after(slots, cost)
  if cost > slots.max then
    return -1
  end
  return (slots.of_call > 0 or slots.held_units + cost <= slots.max) and 0 or UNKNOWN
end

local function take(slots, cost)
  slots.leases.changed = true
  add(slots, cost - slots.of_call)
  slots.of_call = cost
end

-- Deletes the calls of dead instances.
local function forget_dead(slots)
  local fields, dead = redis.call('HKEYS', slots.key), {}
  for _, field in ipairs(fields) do
    if #field == 14 and slots.dead[struct.unpack('>I7', field)] then
      dead[#dead + 1] = field
    end
  end
  for at = 1, #dead, 1000 do
    redis.call('HDEL', slots.key, unpack(dead, at, math.min(#dead, at + 999)))
  end
end

algorithms[NUMBER] = {
  describe = function(slots, bytes, at)
    slots.max, slots.lease, at = struct.unpack('>I7I7', bytes, at)
    return at
  end,

  -- The leases show later which of the instances are dead.
  read = function(slots)
    slots.at, slots.changed = now, false
    slots.own, slots.held_units, slots.others, slots.dead = 0, 0, {}, false
    local stored, of_call = unpack(redis.call('HMGET', slots.key, HELD, field_of(slots)))
    check(not stored or #stored % 11 == 0)
    slots.of_call = tonumber(of_call or 0)
    for at = 1, stored and #stored or 0, 11 do
      local instance, units = struct.unpack('>I7I4', stored, at)
      slots.held_units = slots.held_units + units
      if instance == slots.instance then
        slots.own = units
      else
        slots.others[#slots.others + 1] = { instance = instance, units = units }
      end
    end
  end,

  -- Drops the units of a dead instance.
  bury = function(slots, index)
    local other = slots.others[index]
    slots.held_units = slots.held_units - other.units
    slots.dead = slots.dead or {}
    slots.dead[other.instance] = true
    table.remove(slots.others, index)
  end,

  advance = function()
  end,

  retry_after = retry_after,
  take = take,

  refund = function(slots)
    if slots.of_call > 0 then
      add(slots, -math.min(slots.of_call, slots.own))
      slots.of_call = 0
    end
  end,

  -- Takes the units of a call that runs, unless it holds them. Returns whether it holds them now: not if too few are free.
  hold = function(slots, cost)
    if slots.of_call > 0 then
      keep(slots)
    elseif retry_after(slots, cost) == 0 then
      take(slots, cost)
    else
      return false
    end
    return true
  end,

  remaining = function(slots)
    return math.max(0, slots.max - slots.held_units)
  end,

  reset_after = reset_after,

  -- The units of the call come first: a full Redis lets a script free them, and then write what is held.
  write = function(slots)
    if slots.of_call > 0 then
      redis.call('HSET', slots.key, field_of(slots), string.format('%d', slots.of_call))
    else
      redis.call('HDEL', slots.key, field_of(slots))
    end
    if slots.corrected then
      slots.leases.algorithm.move_back(slots.leases)
    end
    if slots.dead then
      forget_dead(slots)
    end
    local stored = {}
    for _, other in ipairs(slots.others) do
      stored[#stored + 1] = struct.pack('>I7I4', other.instance, other.units)
    end
    if slots.own > 0 then
      stored[#stored + 1] = struct.pack('>I7I4', slots.instance, slots.own)
    end
    redis.call('HSET', slots.key, HELD, table.concat(stored))
    keep(slots)
  end
}
