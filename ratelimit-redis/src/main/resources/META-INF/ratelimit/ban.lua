-- ban: the denials of a rule, and its latest ban. Follows the counts of its demand, and their portions. The same as BanCount.java.
--
-- A ban denies calls of any cost, and however long they may wait. It takes no units. It counts a call that the limits of its own demand
-- deny while no ban lasts.
--
-- limit:  after; within, lasting and growing_to in microseconds
-- stored: one string
--           7 bytes  written_at, the time of the clock when it was written
--           7 bytes  ends, the end of the latest ban, 0 for none
--           6 bytes  length of that ban, in microseconds
--           6 bytes  kept, how long that ban is remembered after its end, in microseconds
--           6 bytes  counted_by, the time within which the denials were counted, in microseconds
--           7 bytes  per denial that counts, in order: its time, in microseconds
--
-- remaining: 0 if the key was banned before the call, 1 if the call begins the ban, else FREE or more

local HEAD, FREE = 32, 2 ^ 52

local function forgotten(ban)
  local newest = ban.denials == '' and 0 or struct.unpack('>I7', ban.denials, #ban.denials - 6) + ban.counted_by
  return math.max(newest, ban.ends + ban.kept)
end

-- Drops the denials until a time.
local function drop_until(denials, time)
  local at = 1
  while at < #denials and struct.unpack('>I7', denials, at) <= time do
    at = at + 7
  end
  return string.sub(denials, at)
end

local function move_back(ban, back)
  local times = {}
  for at = 1, #ban.denials, 7 do
    times[#times + 1] = struct.pack('>I7', math.max(0, struct.unpack('>I7', ban.denials, at) - back))
  end
  ban.denials, ban.ends = table.concat(times), math.max(0, ban.ends - back)
end

local function begin(ban)
  local follows = now < ban.ends + math.min(ban.kept, ban.lasting)
  ban.length = follows and math.max(ban.lasting, math.min(2 * ban.length, ban.growing_to)) or ban.lasting
  ban.ends, ban.kept = now + ban.length, ban.growing_to > ban.lasting and ban.lasting or 0
  ban.denials, ban.begins = '', true
end

algorithms[NUMBER] = {
  describe = function(ban, bytes, at)
    ban.after, ban.within, ban.lasting, ban.growing_to, at = struct.unpack('>I7I7I7I7', bytes, at)
    ban.max_wait, ban.demand_time = ban.demand_time, 0
    ban.peeks, ban.cost = ban.cost == 0, 1
    return at
  end,

  -- If the clock was set back behind the last change, the state moves back with it.
  read = function(ban)
    ban.denials, ban.ends, ban.length, ban.kept, ban.counted_by, ban.begins = '', 0, 0, 0, ban.within, false
    local stored = load(ban)
    if not stored then
      return
    end
    local written_at
    written_at, ban.ends, ban.length, ban.kept, ban.counted_by = struct.unpack('>I7I7I6I6I6', stored)
    ban.denials = string.sub(stored, HEAD + 1)
    check(#ban.denials % 7 == 0)
    if math.max(now, written_at) >= forgotten(ban) then
      ban.denials, ban.ends = '', 0
    elseif now < written_at then
      move_back(ban, written_at - now)
      ban.corrected = not ban.peeks
    end
  end,

  advance = function()
  end,

  retry_after = function(ban)
    return math.max(0, ban.ends - ban.at)
  end,

  -- Returns whether the call is a denial that counts: the slowest limit of the demand denies it, and the key is not banned.
  is_denial = function(ban, slowest)
    ban.begins = false
    return ban.ends <= now and slowest > ban.max_wait
  end,

  take = function(ban)
    ban.at = now
    ban.changed = ban.changed or ban.corrected
  end,

  take_denied = function(ban)
    ban.denials = drop_until(ban.denials, now - math.min(ban.within, ban.counted_by))
    ban.counted_by = ban.within
    if #ban.denials / 7 + 1 >= ban.after then
      begin(ban)
    else
      ban.denials = ban.denials .. struct.pack('>I7', now)
    end
    ban.changed = true
  end,

  -- A refund does not undo a denial.
  refund = function()
  end,

  remaining = function(ban)
    return ban.ends <= now and FREE or ban.begins and 1 or 0
  end,

  reset_after = function(ban)
    return math.max(0, forgotten(ban) - ban.at)
  end,

  write = function(ban)
    save(ban, struct.pack('>I7I7I6I6I6', now, ban.ends, ban.length, ban.kept, ban.counted_by) .. ban.denials)
  end
}

-- debt

-- Units that a call owes are no denial.
algorithms[NUMBER].owe = function()
end
