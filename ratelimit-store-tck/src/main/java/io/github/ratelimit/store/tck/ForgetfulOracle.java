package io.github.ratelimit.store.tck;

import java.util.Optional;
import java.util.function.Supplier;

import io.github.ratelimit.Limit;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.store.LimitOutcome;

/**
 * Oracle that resets as soon as the state equals an unused one under the limit with which
 * it was last written, regardless of later limits and clocks. Once it cannot determine
 * that time, its answers are uncertain. Other oracles are not asked for a cost above the
 * capacity.
 */
final class ForgetfulOracle implements Oracle {

	private final Supplier<Oracle> anew;

	private Oracle oracle;

	private long writtenAt = Long.MIN_VALUE;

	private long unusedAt = Long.MAX_VALUE;

	private boolean sure = true;

	ForgetfulOracle(Supplier<Oracle> anew) {
		this.anew = anew;
		this.oracle = anew.get();
	}

	@Override
	public Optional<LimitOutcome> acquire(Limit limit, long cost, long now, boolean admitted) {
		if (now >= this.unusedAt) {
			this.oracle = this.anew.get();
			this.unusedAt = Long.MAX_VALUE;
			this.writtenAt = Long.MIN_VALUE;
		}
		if (cost > limit.capacity()) {
			return acquire(limit, 0, now, false)
				.map((seen) -> new LimitOutcome(seen.remaining(), Count.NEVER, seen.resetAfter()));
		}
		Optional<LimitOutcome> outcome = this.oracle.acquire(limit, cost, now, admitted);
		if (writes(limit, cost, now, admitted)) {
			this.sure &= outcome.isPresent();
			this.unusedAt = outcome.map((known) -> now + known.resetAfter()).orElse(Long.MAX_VALUE);
			this.writtenAt = now;
		}
		return this.sure ? outcome : Optional.empty();
	}

	private boolean writes(Limit limit, long cost, long now, boolean admitted) {
		boolean counted = admitted || limit.countDenied();
		boolean setBack = now < this.writtenAt && !this.oracle.knowsCorrections();
		boolean corrected = setBack || this.oracle.hasFollowed();
		return cost > 0 && (counted || corrected);
	}

}
