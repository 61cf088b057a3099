package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Mode;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import org.jspecify.annotations.Nullable;

/**
 * Call that is not just counted: by a {@link Verdict} one of its keys passes or is
 * denied, or one of its rules is in shadow mode or off. Rules that are off, and those
 * whose key passes, are left out. A denied key denies the whole call, and no rule counts
 * it; if its rule is in shadow mode, the call goes on, and no rule in shadow mode counts
 * it. Rules that are enforced are decided first. Calls do not wait for those in shadow
 * mode, unless they are subject to no other rules.
 */
final class MixedCall {

	private final Decider decider;

	private final List<Demand> enforced = new ArrayList<>();

	private final List<Demand> shadow = new ArrayList<>();

	private final @Nullable DecidedCall known;

	/** Sort the demands of a call. Denials that are known are reported. */
	MixedCall(Demands demands, VerdictSource verdicts, Decider decider, DecisionReport report) {
		this.decider = decider;
		List<Denied> denied = new ArrayList<>();
		List<Denied> shadowDenied = new ArrayList<>();
		for (Demand demand : demands.asList()) {
			Mode mode = mode(demand);
			Verdict verdict = (mode == Mode.OFF) ? Verdict.PASS : verdicts.find(demand);
			if (verdict instanceof Verdict.Deny deny) {
				((mode == Mode.SHADOW) ? shadowDenied : denied)
					.add(new Denied(demand, deny.retryAfter(verdicts.now())));
			}
			else if (!(verdict instanceof Verdict.Pass)) {
				((mode == Mode.SHADOW) ? this.shadow : this.enforced).add(demand);
			}
		}
		(denied.isEmpty() ? shadowDenied : denied).forEach((each) -> report.blocked(each.demand));
		if (!shadowDenied.isEmpty()) {
			this.shadow.clear();
		}
		this.known = !denied.isEmpty() ? Denied.of(denied) : (this.enforced.isEmpty() && this.shadow.isEmpty())
				? DecidedCall.uncounted(demands.get(0), Decision.Origin.NONE) : null;
	}

	static boolean isMixed(Demands demands, VerdictSource verdicts) {
		for (int i = 0; i < demands.size(); i++) {
			Demand demand = demands.get(i);
			if (mode(demand) != Mode.ENFORCE || !verdicts.isCounted(demand)) {
				return true;
			}
		}
		return false;
	}

	/** Registered rules have a mode. Rules without a mode are enforced. */
	private static Mode mode(Demand demand) {
		Mode mode = demand.rule().mode();
		return (mode != null) ? mode : Mode.ENFORCE;
	}

	@Nullable DecidedCall known() {
		return this.known;
	}

	DecidedCall decide() {
		return (this.known != null) ? this.known : decided(this.decider.decide(first()));
	}

	CompletionStage<DecidedCall> decideAsync() {
		return (this.known != null) ? CompletableFuture.completedFuture(this.known)
				: this.decider.decideAsync(first(), this::decided);
	}

	private Demands first() {
		return Demands.of(this.enforced.isEmpty() ? this.shadow : this.enforced);
	}

	/**
	 * Go on with the rules in shadow mode. A call that is denied does not take place, so
	 * it does not count anywhere.
	 */
	private DecidedCall decided(DecidedCall first) {
		if (this.enforced.isEmpty()) {
			return first.inShadowMode();
		}
		if (this.shadow.isEmpty() || !first.isAllowed()) {
			return first;
		}
		Demands rest = Demands.of(this.shadow);
		CompletionStage<DecidedCall> later = this.decider.decideAsync(rest, DecidedCall::inShadowMode);
		later.whenComplete((decided, failure) -> {
			if (failure != null) {
				ShadowMode.failed(failure);
			}
		});
		return first.beside(rest, later);
	}

	private record Denied(Demand demand, Duration retryAfter) {

		static DecidedCall of(List<Denied> all) {
			Denied longest = all.get(0);
			for (Denied each : all) {
				longest = (each.retryAfter.compareTo(longest.retryAfter) > 0) ? each : longest;
			}
			return DecidedCall.blocked(longest.demand, longest.retryAfter,
					all.stream().map((each) -> each.demand.rule().name()).toList());
		}

	}

}
