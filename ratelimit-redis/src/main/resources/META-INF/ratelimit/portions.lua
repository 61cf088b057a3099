-- portions: the units of a rule that instances hold. Follows the counts of its demand, all of which the units are taken from. A portion is
-- held until it ends, and is counted as of its end, even if its instance has used less by then: so no period sees more units than are
-- counted in it or held at its end. Until it is counted, it reduces what remains.
--
-- Portions that have ended are counted in memory by every script, and in the stored counts as soon as these change. So the stored counts
-- are older than the end of each portion that is not counted in them.
--
-- limit:  how long a portion may be held, in microseconds; the units to fetch, 0 for none, and the id of their portion; the id of a
--         portion that its instance holds no more, 0 for none, and the units that it has not used
-- stored: one string
--           7 bytes  written_at, the time of the clock when it was written
--           per portion, in order of their ends
--             7 bytes  id, 0 if its instance holds it no more
--             7 bytes  finish, in microseconds
--             4 bytes  units; the highest bit is set if they are counted
--
-- A portion that is counted is kept for a second, in which units of it may be refunded.
--
-- Most keys have no portions. So the functions that deal with portions are created for the first key that has some.

local COUNTED, KEPT, LONGEST, MOST, SHARE = 2 ^ 31, 1000000, 1000000, 256, 4

-- The functions of keys that have portions, and of those that have none.
local lending, idle

local function create_lending()
  -- Counts the units of a portion that a count holds, as of the end of the portion. That is no call: the units count by the numbers of the
  -- state.
  local function count_portion(count, portion)
    count.at = portion.finish
    count.algorithm.take(count, portion.units)
    count.held = count.held - portion.units
  end

  -- Counts the portions that end by a time.
  local function count_until(count, at)
    local portions = count.portions
    for _, portion in ipairs(portions.list) do
      if not portion.counted and portion.finish > count.at and portion.finish <= at then
        count_portion(count, portion)
      end
    end
    portions.at, portions.advanced = at, true
  end

  -- Counts the portions that have ended, as if the clock showed the end of each of them. A window without a state is over, and so are the
  -- portions, which end with it: where windows begin with their first admission, they would begin another one.
  local function count_ended(count, ended)
    if count.algorithm.last_moment and not strings[count.key] then
      for _, portion in ipairs(ended) do
        count.held = count.held - portion.units
      end
      return
    end
    local clock = now
    now = ended[1].finish
    count.algorithm.read(count)
    for _, portion in ipairs(ended) do
      now = portion.finish
      count_portion(count, portion)
    end
    now, count.at = clock, clock
    count.algorithm.advance(count)
    count.changed = false
  end

  -- A copy of a count, to be counted ahead.
  local function copy(count)
    local copied = {}
    for name, value in pairs(count) do
      copied[name] = value
    end
    return copied
  end

  local function is_over(portion)
    return portion.counted and (portion.id == 0 or portion.finish + KEPT < now)
  end

  -- Removes units from a portion that is still held. They were never counted.
  local function release(portions, portion, units)
    portion.units, portions.changed = portion.units - units, true
    for _, count in ipairs(portions.counts) do
      count.held = count.held - units
    end
  end

  -- Refunds the units of a portion that its instance has not used.
  local function refund_unused(portions)
    for _, portion in ipairs(portions.list) do
      if portion.id == portions.over then
        local units = math.min(portions.unused, portion.units)
        portion.id, portions.changed = 0, true
        if portion.finish > now and not portion.counted then
          release(portions, portion, units)
        elseif portion.finish <= now and units > 0 then
          for _, count in ipairs(portions.counts) do
            count.algorithm.refund(count, units, portion.finish, portion.finish)
          end
        end
      end
    end
  end

  -- Adds a portion in order of its end. Its units are admitted.
  local function add(portions, units, finish)
    local list = portions.list
    local i = #list + 1
    while i > 1 and list[i - 1].finish > finish do
      i = i - 1
    end
    table.insert(list, i, { id = portions.id, finish = finish, units = units, counted = false })
    for _, count in ipairs(portions.counts) do
      count.held = count.held + units
      if count.other then
        count.algorithm.convert(count)
      end
    end
    portions.granted, portions.finish, portions.changed = units, finish, true
  end

  -- Reads portions, and refunds units that an instance has not used, whether its call is admitted or not. If the clock was set back, the
  -- ends move back with it.
  local function read_list(portions, stored)
    local list, ended, held = {}, {}, 0
    portions.list, portions.changed, portions.advanced = list, false, false
    local back = stored and math.max(0, struct.unpack('>I7', stored) - now) or 0
    check(not stored or #stored % 18 == 7)
    for at = 8, stored and #stored or 0, 18 do
      local id, finish, units = struct.unpack('>I7I7I4', stored, at)
      local counted = units >= COUNTED
      local portion = { id = id, finish = finish - back, units = units % COUNTED, counted = counted }
      check(portion.finish <= now + LONGEST and portion.units <= 2 ^ 30)
      list[#list + 1] = portion
      held = held + (counted and 0 or units)
      if not counted and portion.finish <= now then
        ended[#ended + 1] = portion
      end
    end
    for _, count in ipairs(portions.counts) do
      count.held = held
      if #ended > 0 then
        count_ended(count, ended)
      end
      count.corrected = count.corrected or back > 0
    end
    portions.advanced = #ended > 0 or back > 0
    if portions.over > 0 then
      refund_unused(portions)
    end
  end

  return {
    read = idle.read,
    read_list = read_list,

    -- Lends units: a quarter of what each limit has left at most, so the last ones are never lent.
    fetch = function(portions)
      if portions.wanted == 0 or #portions.list >= MOST then
        return
      end
      local units, finish = portions.wanted, now + portions.lifetime
      for _, count in ipairs(portions.counts) do
        units = math.min(units, math.floor(remaining_now(count) / SHARE))
        finish = count.algorithm.last_moment and math.min(finish, count.algorithm.last_moment(count)) or finish
      end
      if units > 0 and finish > now then
        add(portions, units, finish)
      end
    end,

    -- Refunds a call that was paid with units of a portion that is still held, once for all counts of the demand.
    refund_held = function(portions, units, finish)
      for _, portion in ipairs(portions.list) do
        if portion.finish == finish and portion.units >= units and not portion.counted then
          release(portions, portion, units)
          return
        end
      end
    end,

    wait_for = function(count, cost)
      local ahead = copy(count)
      local algorithm = ahead.algorithm
      for _, portion in ipairs(count.portions.list) do
        if not portion.counted and portion.finish > count.at then
          local retry_after = algorithm.retry_after(ahead, cost + ahead.held)
          if retry_after ~= -1 and ahead.at + retry_after < portion.finish then
            return ahead.at - now + retry_after
          end
          count_portion(ahead, portion)
        end
      end
      local retry_after = algorithm.retry_after(ahead, cost)
      return retry_after == -1 and -1 or ahead.at - now + retry_after
    end,

    all_counted = function(count)
      local ahead = copy(count)
      for _, portion in ipairs(count.portions.list) do
        if not portion.counted and portion.finish > count.at then
          count_portion(ahead, portion)
        end
      end
      return ahead
    end,

    count_until = count_until,

    -- Counts and portions are written together: the lifetime of a count depends on the units held, and that of the portions on the counts.
    change_together = function(portions)
      local changed = portions.changed or portions.advanced
      for _, count in ipairs(portions.counts) do
        if portions.advanced and count.at < portions.at then
          count_until(count, portions.at)
        end
        count.changed = count.changed or changed
        portions.changed = changed or count.held > 0
      end
    end,

    remaining = function(portions)
      return portions.granted
    end,

    -- Until the portion that was fetched ends; if there is none, the last one of all that are held. Units of one that has ended may still be
    -- refunded.
    reset_after = function(portions)
      local finish = portions.granted > 0 and portions.finish or 0
      for i = #portions.list, 1, -1 do
        local last = portions.list[i]
        if finish == 0 and not last.counted then
          finish = last.finish
        end
      end
      return finish > 0 and math.max(0, finish - portions.at) or #portions.list > 0 and portions.lifetime or 0
    end,

    -- The string lives as long as its portions reduce what remains, or would when they are counted.
    write = function(portions)
      local stored, lifetime = { struct.pack('>I7', now) }, 0
      for _, portion in ipairs(portions.list) do
        portion.counted = portion.counted or portion.finish <= portions.at
        if portion.units > 0 and not is_over(portion) then
          stored[#stored + 1] =
              struct.pack('>I7I7I4', portion.id, portion.finish, portion.units + (portion.counted and COUNTED or 0))
          lifetime = math.max(lifetime, portion.finish + KEPT - now)
        end
      end
      for _, count in ipairs(portions.counts) do
        lifetime = math.max(lifetime, count.held > 0 and reset_after_now(count) or 0)
      end
      strings[portions.key], lifetimes[portions.key] = #stored > 1 and table.concat(stored), ttl(lifetime)
    end
  }
end

local function nothing()
  return 0
end

idle = {
  describe = function(portions, bytes, at, all)
    local counts = {}
    portions.lifetime, portions.wanted, portions.id, portions.over, portions.unused, at = struct.unpack('>I7I7I7I7I7', bytes, at)
    for i = 1, #all do
      if all[i].demand == portions.demand then
        counts[#counts + 1], all[i].portions = all[i], portions
      end
    end
    portions.counts, portions.portions, all.has_portions = counts, portions, true
    return at
  end,

  read = function(portions)
    local key = portions.key
    local stored = strings[key]
    if stored == nil then
      stored = redis.call('GET', key)
      strings[key] = stored
    end
    portions.at, portions.granted = now, 0
    if stored or portions.wanted > 0 then
      lending = lending or create_lending()
      portions.algorithm = lending
      lending.read_list(portions, stored)
    else
      portions.algorithm, portions.list, portions.changed = idle, false, false
      for _, count in ipairs(portions.counts) do
        count.held = 0
      end
    end
  end,

  refund_held = nothing,
  remaining = nothing,
  reset_after = nothing
}
algorithms[NUMBER] = idle
