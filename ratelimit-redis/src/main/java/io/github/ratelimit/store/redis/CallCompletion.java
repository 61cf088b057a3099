package io.github.ratelimit.store.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Correction.Kind;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;

/**
 * Ends of calls, at which units are refunded or owed and slots are freed.
 */
final class CallCompletion {

	private static final Logger logger = System.getLogger(CallCompletion.class.getName());

	private final Corrections corrections;

	private final Features features;

	private final BlockingWait waiting;

	private final RedisFailures failures;

	private volatile @Nullable Consumer<Demand> whenUnusedRefunded;

	CallCompletion(Corrections corrections, Features features, BlockingWait waiting, RedisFailures failures) {
		this.corrections = corrections;
		this.features = features;
		this.waiting = waiting;
		this.failures = failures;
	}

	/**
	 * Correct what calls have taken. That goes on after a timeout.
	 */
	CompletionStage<List<long[]>> correct(List<Correction> corrections) {
		CompletableFuture<List<long[]>> corrected = correctCounted(this.features.correct(corrections)).copy();
		boolean charges = corrections.stream().anyMatch((each) -> each.kind() == Kind.CHARGE);
		return this.failures
			.translated(charges ? this.corrections.inLongTime(corrected) : this.failures.inTime(corrected));
	}

	private CompletableFuture<List<long[]>> correctCounted(List<Correction> corrections) {
		CompletableFuture<List<long[]>> corrected = this.corrections.correct(corrections);
		corrected.whenComplete((done, failure) -> this.features.corrected(corrections, failure));
		return corrected;
	}

	/**
	 * Refund units that Redis took for calls that were over when the reply arrived, in
	 * the background and under the version of the rule that the call used.
	 */
	void refundUnused(List<Correction> refunds) {
		correctCounted(refunds).whenComplete((done, failure) -> {
			if (failure != null) {
				logger.log(Level.DEBUG, "Units of calls that were given up could not be refunded", failure);
			}
			Consumer<Demand> action = this.whenUnusedRefunded;
			if (action != null) {
				refunds.forEach((refund) -> action.accept(refund.demand()));
			}
		});
	}

	/**
	 * Set the action that follows each {@linkplain #refundUnused refund of unused units}.
	 */
	void whenUnusedRefunded(Consumer<Demand> action) {
		this.whenUnusedRefunded = action;
	}

	/**
	 * Forget the counts of a key, and wait for the answer.
	 */
	void reset(RuleCounts counts, StoredKey key) {
		String rule = counts.rule().name();
		this.waiting.checkThread(rule);
		this.waiting.await(rule, this.corrections.reset(counts, key).copy());
	}

}
