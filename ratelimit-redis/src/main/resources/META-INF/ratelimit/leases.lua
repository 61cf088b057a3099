-- leases: the liveness of instances, for all slots in the same hash slot. Follows the slots of its demand.
--
-- limit:  instance, the number of the calling instance; call, the number of the call in it, 0 for none. They and the time of this demand
--         are those of the slots
-- stored: a hash; per instance, 7 bytes its number:
--           7 bytes  since, when its lease began
--           7 bytes  seen, when it was renewed last
--           7 bytes  shortest, the shortest lease of its units, in microseconds
--
-- The units of an instance are free when its lease was not renewed for the lease of their limit. The calling instance lives. A call that
-- takes units renews a lease that is a third over, so that it lasts until the next renewal, and keeps its `shortest`, so that it is not
-- missed that the lease had ended for other units. A lease that has ended begins anew. The reply to the next renewal shows that, and the
-- instance checks its units then, see renew-lease.lua.

local LONGEST_LEASE = 3600 * 1000000

local function name_of(instance)
  return struct.pack('>I7', instance)
end

local function store(leases, instance, since, seen, shortest)
  redis.call('HSET', leases.key, name_of(instance), struct.pack('>I7I7I7', since, seen, shortest))
  redis.call('PEXPIRE', leases.key, string.format('%d', ttl(LONGEST_LEASE)))
end

-- Moves leases back to the clock, if that was set back.
local function move_back(leases)
  for instance, lease in pairs(leases.known) do
    if lease.seen > now then
      store(leases, instance, math.min(lease.since, now), now, lease.shortest)
    end
  end
end

-- Deletes leases that have ended for all slots.
local function forget_ended(leases)
  local all = redis.call('HGETALL', leases.key)
  for i = 1, #all, 2 do
    local _, seen = struct.unpack('>I7I7', all[i + 1])
    if seen + LONGEST_LEASE <= now then
      redis.call('HDEL', leases.key, all[i])
    end
  end
end

-- Returns whether the units of an instance are free.
local function is_dead(leases, instance, slots)
  local lease = leases.known[instance]
  return not lease or lease.seen + slots.lease <= now
end

algorithms[NUMBER] = {
  describe = function(leases, bytes, at, counts)
    leases.instance, leases.call, at = struct.unpack('>I7I7', bytes, at)
    leases.slots = {}
    for i = 1, #counts do
      if counts[i].demand == leases.demand and counts[i].algorithm.bury then
        local slots = counts[i]
        slots.leases, slots.instance, slots.call, slots.demand_time = leases, leases.instance, leases.call, leases.demand_time
        leases.slots[#leases.slots + 1] = slots
      end
    end
    return at
  end,

  read = function(leases)
    local instances, names = { leases.instance }, { name_of(leases.instance) }
    for _, slots in ipairs(leases.slots) do
      for _, other in ipairs(slots.others) do
        instances[#instances + 1], names[#names + 1] = other.instance, name_of(other.instance)
      end
    end
    leases.at, leases.changed, leases.known = now, false, {}
    local stored, set_back = redis.call('HMGET', leases.key, unpack(names)), false
    for i = 1, #stored do
      if stored[i] then
        local since, seen, shortest = struct.unpack('>I7I7I7', stored[i])
        leases.known[instances[i]] = { since = since, seen = seen, shortest = shortest }
        set_back = set_back or seen > now
      end
    end
    for _, slots in ipairs(leases.slots) do
      for i = #slots.others, 1, -1 do
        if is_dead(leases, slots.others[i].instance, slots) then
          slots.algorithm.bury(slots, i)
        end
      end
      slots.corrected = set_back
    end
  end,

  remaining = function()
    return 0
  end,

  reset_after = function()
    return 0
  end,

  move_back = move_back,

  write = function(leases)
    local own = leases.known[leases.instance]
    local shortest = own and own.shortest or LONGEST_LEASE
    for _, slots in ipairs(leases.slots) do
      shortest = math.min(shortest, slots.lease)
    end
    local age = own and math.max(0, now - own.seen) or shortest
    if age >= shortest then
      store(leases, leases.instance, now, now, shortest)
      forget_ended(leases)
    elseif 3 * age >= shortest or shortest < own.shortest then
      store(leases, leases.instance, math.min(own.since, now), now, shortest)
    end
  end
}
