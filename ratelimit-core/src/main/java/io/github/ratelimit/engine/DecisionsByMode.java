package io.github.ratelimit.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.Decision;
import io.github.ratelimit.store.Demands;

/**
 * Decisions on calls whose rules may have different modes. Rules that are enforced are
 * decided first. Calls do not wait for those in shadow mode, unless they are subject to
 * no other rules.
 */
record DecisionsByMode(Decider decider) {

	/**
	 * Return the decisions on a call of the current thread, which other threads may
	 * report.
	 */
	DecisionsByMode forCaller() {
		Decider ofCaller = this.decider.forCaller();
		return (ofCaller != this.decider) ? new DecisionsByMode(ofCaller) : this;
	}

	/**
	 * Decide a call by its enforced rules, then by those in shadow mode if it goes on.
	 */
	DecidedCall decide(Demands demands) {
		DemandsByMode byMode = DemandsByMode.of(demands);
		if (!byMode.enforced().isEmpty()) {
			return withShadow(this.decider.decide(byMode.enforced()), byMode.shadow());
		}
		return byMode.shadow().isEmpty() ? DecidedCall.uncounted(demands.get(0), Decision.Origin.NONE)
				: this.decider.decide(byMode.shadow()).inShadowMode();
	}

	/**
	 * Decide a call without blocking the caller.
	 */
	CompletionStage<DecidedCall> decideAsync(Demands demands) {
		DemandsByMode byMode = DemandsByMode.of(demands);
		if (!byMode.enforced().isEmpty()) {
			return this.decider.decideAsync(byMode.enforced(), (decided) -> withShadow(decided, byMode.shadow()));
		}
		return byMode.shadow().isEmpty()
				? CompletableFuture.completedFuture(DecidedCall.uncounted(demands.get(0), Decision.Origin.NONE))
				: this.decider.decideAsync(byMode.shadow(), DecidedCall::inShadowMode);
	}

	/**
	 * A call that is denied does not take place, so it does not count anywhere.
	 */
	private DecidedCall withShadow(DecidedCall enforced, Demands shadow) {
		if (shadow.isEmpty() || !enforced.isAllowed()) {
			return enforced;
		}
		CompletionStage<DecidedCall> later = this.decider.decideAsync(shadow, DecidedCall::inShadowMode);
		later.whenComplete((decided, failure) -> {
			if (failure != null) {
				ShadowMode.failed(failure);
			}
		});
		return enforced.beside(new ShadowCall(shadow, later));
	}

}
