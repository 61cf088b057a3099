-- leases: the liveness of instances, for all slots of the same cluster slot. Follows the slots of its demand.
--
-- limit:  instance, the number of the calling instance; call, the number of the call in it, 0 for none. They and the time of this demand
--         are those of the slots
-- stored: a hash; per instance, 7 bytes its number:
--           7 bytes  since, when its lease began, by which units are known that were taken under an earlier one
--           7 bytes  seen, when it was renewed last
--           7 bytes  shortest, the shortest lease of its units, in microseconds
--           7 bytes  pause, how long it was not renewed before it began
--
-- The units of an instance are free when its lease was not renewed for the lease of their limit. The calling instance lives. A call that
-- takes units renews a lease that is a third over, so that it lasts until the next renewal, and keeps its `shortest`, so that it is not
-- missed that the lease had ended for other units. A lease that has ended begins anew; units that were taken before are free if it had
-- ended for them, so that a server with an old state revives none. The reply to the next renewal shows that, and the instance checks its
-- units then, see renew-lease.lua.

local LONGEST_LEASE = 3600 * 1000000

local function name_of(instance)
  return struct.pack('>I7', instance)
end

local function store(leases, instance, lease)
  redis.call('HSET', leases.key, name_of(instance), struct.pack('>I7I7I7I7', lease.since, now, lease.shortest, lease.pause))
  redis.call('PEXPIRE', leases.key, string.format('%d', ttl(LONGEST_LEASE)))
end

-- Moves leases back to the clock, if that was set back.
local function move_back(leases)
  for instance, lease in pairs(leases.known) do
    if lease.seen > now then
      store(leases, instance, lease)
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

-- Returns whether units that an instance holds are free.
local function are_free(leases, held, slots)
  local lease = leases.known[held.instance]
  return not lease or lease.seen + slots.lease <= now or held.term ~= lease.since % slots.algorithm.TERMS and lease.pause >= slots.lease
end

-- Returns the lease of the calling instance as a call leaves it that takes units.
local function renewed(leases)
  local own, shortest = leases.known[leases.instance], LONGEST_LEASE
  if own then
    shortest = own.shortest
  end
  for _, slots in ipairs(leases.slots) do
    shortest = math.min(shortest, slots.lease)
  end
  local age = own and math.max(0, now - own.seen) or LONGEST_LEASE
  if age >= shortest then
    return { since = now, seen = now, shortest = shortest, pause = age, has_begun = true }
  end
  return { since = own.since, seen = now, shortest = shortest, pause = own.pause, is_due = 3 * age >= shortest or shortest < own.shortest or own.seen > now }
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
      for _, held in ipairs(slots.held_by) do
        instances[#instances + 1], names[#names + 1] = held.instance, name_of(held.instance)
      end
    end
    leases.at, leases.changed, leases.known = now, false, {}
    local stored, set_back = redis.call('HMGET', leases.key, unpack(names)), false
    for i = 1, #stored do
      if stored[i] then
        local since, seen, shortest, pause = struct.unpack('>I7I7I7I7', stored[i])
        leases.known[instances[i]] = { since = since, seen = seen, shortest = shortest, pause = pause }
        set_back = set_back or seen > now
      end
    end
    leases.own = renewed(leases)
    leases.known[leases.instance] = leases.own
    for _, slots in ipairs(leases.slots) do
      for i = #slots.held_by, 1, -1 do
        if are_free(leases, slots.held_by[i], slots) then
          slots.algorithm.bury(slots, i)
        elseif slots.held_by[i].instance == leases.instance then
          slots.own = table.remove(slots.held_by, i).units
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
    if leases.own.has_begun or leases.own.is_due then
      store(leases, leases.instance, leases.own)
    end
    if leases.own.has_begun then
      forget_ended(leases)
    end
  end
}
