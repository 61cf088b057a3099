-- End of a script that refunds units. A call that still waits gives up its turn. The last turn of the queue becomes free for others;
-- any other turn passes unused, and nothing changes. A state that equals an unused one after that is deleted. Units of a portion that
-- is still held are removed from the portion.
--
-- KEYS, ARGV: see prelude.lua; the time of a demand is when its units were counted, or NEWEST for the units that were taken last by
--             calls that do not wait any more
-- reply:      see each-count.lua; per count 0

correcting = true
return for_each_count(function(count)
  local algorithm, counted_at, portions = count.algorithm, count.demand_time, count.portions
  if count.cost ~= 0 and portions and counted_at > now and counted_at ~= NEWEST then
    if count == portions.counts[1] then
      portions.algorithm.refund_held(portions, count.cost, counted_at)
    end
  elseif count.cost ~= 0 and exists(count.key) then
    local newest = counted_at == NEWEST
    if newest or counted_at <= now or counted_at == count.at then
      count.changed = count.corrected
      algorithm.refund(count, count.cost, newest and 0 or counted_at, newest and now or counted_at)
      if reset_after_now(count) == 0 then
        delete(count.key)
        count.changed = false
      end
    end
  end
  return DONE
end)
