package io.github.ratelimit.store.redis;

import java.lang.System.Logger.Level;
import java.lang.System.Logger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Correction.Kind;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RemoteStore;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;

/**
 * Changes of counters without a decision: refunds, debts, charges and resets. Several of
 * a kind are sent as one script call. If one fails, because its key holds a list for
 * example, the others still succeed. Units that features hold are refunded there.
 */
final class Corrections {

	private static final Logger logger = System.getLogger(Corrections.class.getName());

	private static final Script RESET = Script.of(Script.read("reset"));

	private static final String EACH_COUNT = "each-count";

	/**
	 * Time that a charge may take, and that other corrections are repeated in a moving
	 * hash slot, in timeouts of calls.
	 */
	static final int TIMEOUTS_OF_A_CHARGE = 20;

	private final Map<Kind, CountingScripts> scripts = Map.of(Kind.REFUND, new CountingScripts(EACH_COUNT, "refund"),
			Kind.DEBT, CountingScripts.withDebt(EACH_COUNT, "owe"), Kind.CHARGE,
			new CountingScripts(EACH_COUNT, "charge"));

	private final RedisSetup setup;

	private final Duration patience;

	private final Features features;

	Corrections(RedisSetup setup, Features features) {
		this.setup = setup;
		this.patience = setup.failures.timeout().multipliedBy(TIMEOUTS_OF_A_CHARGE);
		this.features = features;
	}

	void reset(RuleCounts counts, StoredKey key) {
		String rule = counts.rule().name();
		this.setup.failures.checkThread(rule);
		byte[][] now = { Arguments.number(this.setup.clock.getAsLong()) };
		byte[][] names = this.setup.encoded.get(counts).names().ofKeyAlone(key);
		this.setup.failures.await(rule, this.setup.runner.run(RESET, names, now).copy());
	}

	/**
	 * Correct what calls have taken. That goes on after a timeout, which is long for
	 * charges: a failed one is repeated later, and a slow Redis would count it several
	 * times.
	 * @return how many units each count has charged, or the first failure, when all are
	 * done
	 */
	CompletionStage<List<long[]>> correct(List<Correction> corrections) {
		CompletableFuture<List<long[]>> corrected = correctCounted(this.features.correct(corrections)).copy();
		boolean charges = corrections.stream().anyMatch((each) -> each.kind() == Kind.CHARGE);
		return this.setup.failures
			.translated(charges ? corrected.orTimeout(this.patience.toNanos(), TimeUnit.NANOSECONDS)
					: this.setup.failures.inTime(corrected));
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
			RemoteStore.Events following = this.setup.events;
			if (following != null) {
				refunds.forEach((refund) -> following.refunded(refund.demand()));
			}
		});
	}

	private CompletableFuture<List<long[]>> correctCounted(List<Correction> corrections) {
		Collection<List<Integer>> groups = groups(corrections, this.setup.sharding.reach());
		CompletableFuture<List<long[]>> corrected = inGroups(corrections, groups, (group) -> run(group, true))
			.thenApply((results) -> results.stream().map(Result::counted).toList());
		corrected.whenComplete((done, failure) -> this.features.corrected(corrections, failure));
		return corrected;
	}

	/** Run corrections in groups, each as one script. What is in no group is done. */
	private CompletableFuture<List<Result>> inGroups(List<Correction> corrections, Collection<List<Integer>> groups,
			Function<List<Correction>, CompletableFuture<List<Result>>> script) {
		Result[] results = corrections.stream()
			.map((each) -> new Result(new long[each.demand().counts().size()], null))
			.toArray(Result[]::new);
		return CompletableFuture
			.allOf(groups.stream()
				.map((group) -> script.apply(group.stream().map(corrections::get).toList())
					.exceptionally((failure) -> Collections.nCopies(group.size(),
							new Result(new long[0], this.setup.failures.of(failure))))
					.thenAccept((done) -> IntStream.range(0, group.size())
						.forEach((i) -> results[group.get(i)] = done.get(i))))
				.toArray(CompletableFuture[]::new))
			.thenApply((done) -> Arrays.asList(results));
	}

	/**
	 * Group the indexes of corrections of a kind that one script reaches, without empty
	 * ones.
	 */
	private Collection<List<Integer>> groups(List<Correction> corrections, ScriptReach reach) {
		return IntStream.range(0, corrections.size())
			.boxed()
			.filter((i) -> !corrections.get(i).isEmpty())
			.collect(Collectors.groupingBy((i) -> {
				Demand demand = corrections.get(i).demand();
				return List.of(corrections.get(i).kind(), reach.group(names(demand).first(demand.key())));
			}))
			.values();
	}

	private CounterNames names(Demand demand) {
		return this.setup.encoded.get(demand.counts()).names();
	}

	/**
	 * Run corrections of one kind as one script call, or by rule and key if Redis refuses
	 * that. Those that lack edges of a calendar are run again, once.
	 */
	private CompletableFuture<List<Result>> run(List<Correction> corrections, boolean isFirst) {
		return this.setup.sharding
			.<Results>untilAccepted(
					() -> send(corrections).thenApply((reply) -> () -> results(corrections, isFirst, reply)),
					() -> divided(corrections, isFirst), this.patience)
			.thenCompose(Results::get);
	}

	private @Nullable CompletableFuture<Results> divided(List<Correction> corrections, boolean isFirst) {
		Collection<List<Integer>> groups = groups(corrections, ScriptReach.RULE_AND_KEY);
		return (groups.size() > 1)
				? CompletableFuture.completedFuture(() -> inGroups(corrections, groups, (group) -> run(group, isFirst)))
				: null;
	}

	private CompletableFuture<byte[]> send(List<Correction> corrections) {
		Arguments arguments = new Arguments(this.setup.clock.getAsLong());
		for (Correction each : corrections) {
			Demand demand = each.demand();
			EncodedCall encoded = this.setup.encoded.get(demand.counts()).correct(each);
			CounterNames names = names(demand);
			arguments.call(encoded, encoded.hasReset() ? names.withReset(demand.key()) : names.of(demand.key()));
		}
		return arguments.runEventually(this.setup.runner, this.scripts.get(corrections.get(0).kind()));
	}

	private CompletableFuture<List<Result>> results(List<Correction> corrections, boolean isFirst, byte[] bytes) {
		ByteBuffer reply = ByteBuffer.wrap(bytes);
		long now = reply.getLong();
		List<Result> results = new ArrayList<>();
		List<Integer> again = new ArrayList<>();
		for (Correction each : corrections) {
			ScriptFailure failure = ScriptFailure.next(reply);
			Long lacking = (failure != null && isFirst) ? failure.outsideOfEdges() : null;
			if (lacking != null) {
				this.setup.callerClock.set(now);
				this.setup.encoded.get(each.demand().counts()).reach(lacking);
				again.add(results.size());
			}
			long[] counted = new long[(failure != null) ? 0 : names(each.demand()).size()];
			reply.asLongBuffer().get(counted);
			reply.position(reply.position() + counted.length * Long.BYTES);
			results.add(new Result(Arrays.copyOf(counted, each.demand().counts().size()),
					(failure != null) ? this.setup.failures.of(failure.ofRule(each.demand().rule().name())) : null));
		}
		return again.isEmpty() ? CompletableFuture.completedFuture(results)
				: run(again.stream().map(corrections::get).toList(), false).thenApply((repeated) -> {
					IntStream.range(0, repeated.size()).forEach((i) -> results.set(again.get(i), repeated.get(i)));
					return results;
				});
	}

	private interface Results extends Supplier<CompletableFuture<List<Result>>> {

	}

	/**
	 * Result of a correction.
	 *
	 * @param counted how many units each count has charged
	 */
	private record Result(long[] counted, @Nullable StoreException failure) {

		@Override
		public long[] counted() {
			if (this.failure != null) {
				throw this.failure;
			}
			return this.counted;
		}

	}

}
