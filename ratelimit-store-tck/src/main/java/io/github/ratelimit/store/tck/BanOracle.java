package io.github.ratelimit.store.tck;

import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.Ban;
import io.github.ratelimit.store.BanOutcome;

/**
 * Bans of one key, by all denials and bans that there have been. Its clock is never set
 * back.
 */
final class BanOracle {

	private final long within;

	private final long lasting;

	private final long growingTo;

	private final int after;

	private final List<Long> denials = new ArrayList<>();

	private final List<Span> bans = new ArrayList<>();

	BanOracle(Ban ban) {
		this.after = ban.after();
		this.within = ban.within().toMillis() * 1000;
		this.lasting = ban.lasting().toMillis() * 1000;
		this.growingTo = ban.growingTo().toMillis() * 1000;
	}

	/**
	 * Return the ban that a call meets.
	 * @param denied whether a limit denies the call, so that it counts unless the key is
	 * banned
	 * @return {@code null} if the key is not banned
	 */
	BanOutcome ban(long now, boolean denied) {
		Span last = this.bans.isEmpty() ? null : this.bans.get(this.bans.size() - 1);
		if (last != null && now < last.end) {
			return outcome(last, now, false);
		}
		if (!denied) {
			return null;
		}
		this.denials.add(now);
		long counted = this.denials.subList((last != null) ? last.denials : 0, this.denials.size())
			.stream()
			.filter((time) -> time > now - this.within)
			.count();
		if (counted < this.after) {
			return null;
		}
		boolean follows = last != null && now < last.end + this.lasting;
		long length = follows ? Math.min(2 * (last.end - last.begin), this.growingTo) : this.lasting;
		Span begun = new Span(now, now + length, this.denials.size());
		this.bans.add(begun);
		return outcome(begun, now, true);
	}

	private BanOutcome outcome(Span ban, long now, boolean begins) {
		long kept = (this.growingTo > this.lasting) ? this.lasting : 0;
		return new BanOutcome(begins, ban.end - now, ban.end + kept - now);
	}

	/**
	 * A ban, and the number of all denials up to it.
	 */
	private record Span(long begin, long end, int denials) {

	}

}
