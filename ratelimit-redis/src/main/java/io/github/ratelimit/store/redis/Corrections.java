package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.Debt;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleValue;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;

/**
 * Changes of counters without a decision: refunds, debts, charges and resets. Several of
 * a kind are sent as one script call. If one fails, because its key holds a list for
 * example, the others still succeed.
 */
final class Corrections {

	private static final Script RESET = Script.of(Script.read("reset"));

	private static final String EACH_COUNT = "each-count";

	/**
	 * Time that a charge may take, and that other corrections are repeated in a moving
	 * slot, in timeouts of calls.
	 */
	private static final int TIMEOUTS_OF_A_CHARGE = 20;

	private final CountingScripts refunds = new CountingScripts(EACH_COUNT, "refund");

	private final CountingScripts debts = CountingScripts.withDebt(EACH_COUNT, "owe");

	private final CountingScripts charges = new CountingScripts(EACH_COUNT, "charge");

	private final ScriptRunner runner;

	private final RuleValue<EncodedCounts> encoded;

	private final RedisFailures failures;

	private final Duration patience;

	private final LongSupplier clock;

	private final CallerClock callerClock;

	private final Sharding sharding;

	private final RefusedScripts refused;

	/**
	 * Create new corrections.
	 * @param encoded the counts of each rule
	 * @param timeout how long Redis has to answer a call
	 * @param clock the time in microseconds; 0 for the time of the Redis server
	 * @param callerClock the clock that the edges of calendars are chosen by
	 * @param sharding decides which calls can be sent together
	 */
	Corrections(ScriptRunner runner, RuleValue<EncodedCounts> encoded, RedisFailures failures, Duration timeout,
			LongSupplier clock, CallerClock callerClock, Sharding sharding) {
		this.runner = runner;
		this.encoded = encoded;
		this.failures = failures;
		this.patience = timeout.multipliedBy(TIMEOUTS_OF_A_CHARGE);
		this.clock = clock;
		this.callerClock = callerClock;
		this.sharding = sharding;
		this.refused = new RefusedScripts(sharding);
	}

	CompletableFuture<byte[]> reset(RuleCounts counts, StoredKey key) {
		byte[][] now = { Arguments.number(this.clock.getAsLong()) };
		return this.runner.run(RESET, this.encoded.get(counts).names().ofKeyAlone(key), now);
	}

	/**
	 * Refund units.
	 * @return a future that completes when all are done, or fails with the first failure
	 */
	CompletableFuture<Void> refund(List<Refund> refunds) {
		return run(this.refunds,
				refunds.stream().map((refund) -> Call.of(refund.demand(), (counts) -> counts.refund(refund))).toList());
	}

	/**
	 * Count units that calls owe.
	 * @return a future that completes when all are done, or fails with the first failure
	 */
	CompletableFuture<Void> owe(List<Debt> debts) {
		return run(this.debts,
				debts.stream().map((debt) -> Call.of(debt.demand(), (counts) -> counts.owe(debt))).toList());
	}

	private CompletableFuture<Void> run(CountingScripts scripts, List<Call> calls) {
		return inGroups(calls, groups(calls, this.sharding.reach()), (group) -> run(group, scripts, true))
			.thenAccept((results) -> {
				for (StoreException failure : results) {
					if (failure != null) {
						throw failure;
					}
				}
			});
	}

	/**
	 * Charge units. A failed charge is repeated later, so the timeout is long: otherwise
	 * a slow Redis would count it several times.
	 * @return a future of what each count has counted
	 */
	CompletableFuture<long[]> charge(Charge charge) {
		CompletableFuture<long[]> counted = new CompletableFuture<>();
		Call call = new Call(charge.counts(), charge.key(), (counts) -> counts.charge(charge), counted::complete);
		return run(this.charges, List.of(call)).thenCompose((done) -> counted)
			.orTimeout(this.patience.toNanos(), TimeUnit.NANOSECONDS);
	}

	/**
	 * Run calls in groups, each as one script.
	 * @param script runs a group
	 * @return the failure of each call, {@code null} if it succeeded
	 */
	private CompletableFuture<List<@Nullable StoreException>> inGroups(List<Call> calls,
			Collection<List<Integer>> groups,
			Function<List<Call>, CompletableFuture<List<@Nullable StoreException>>> script) {
		@Nullable StoreException[] results = new StoreException[calls.size()];
		return CompletableFuture
			.allOf(groups.stream()
				.map((group) -> script.apply(group.stream().map(calls::get).toList())
					.exceptionally((failure) -> Collections.nCopies(group.size(), this.failures.of(failure)))
					.thenAccept((done) -> IntStream.range(0, group.size())
						.forEach((i) -> results[group.get(i)] = done.get(i))))
				.toArray(CompletableFuture[]::new))
			.thenApply((done) -> Arrays.asList(results));
	}

	/**
	 * Group the indexes of calls that one script reaches.
	 */
	private Collection<List<Integer>> groups(List<Call> calls, ScriptReach reach) {
		return IntStream.range(0, calls.size())
			.boxed()
			.collect(Collectors
				.groupingBy((i) -> reach.group(this.encoded.get(calls.get(i).counts).names().first(calls.get(i).key))))
			.values();
	}

	/**
	 * Run calls as one script call, or by rule and key if Redis refuses that. Those that
	 * lack edges of a calendar are run again.
	 * @param isFirst whether they may be run again
	 * @return the failure of each call, {@code null} if it succeeded
	 */
	private CompletableFuture<List<@Nullable StoreException>> run(List<Call> calls, CountingScripts scripts,
			boolean isFirst) {
		return this.refused
			.<Results>run(
					() -> send(calls, scripts).thenApply((reply) -> () -> results(calls, scripts, isFirst, reply)),
					() -> divided(calls, scripts, isFirst), this.patience)
			.thenCompose(Results::get);
	}

	private @Nullable CompletableFuture<Results> divided(List<Call> calls, CountingScripts scripts, boolean isFirst) {
		Collection<List<Integer>> groups = groups(calls, ScriptReach.RULE_AND_KEY);
		return (groups.size() > 1) ? CompletableFuture
			.completedFuture(() -> inGroups(calls, groups, (group) -> run(group, scripts, isFirst))) : null;
	}

	private CompletableFuture<byte[]> send(List<Call> calls, CountingScripts scripts) {
		Arguments arguments = new Arguments(this.clock.getAsLong());
		for (Call call : calls) {
			EncodedCounts counts = this.encoded.get(call.counts);
			EncodedCall encoded = call.encoding.apply(counts);
			arguments.call(encoded,
					encoded.hasReset() ? counts.names().withReset(call.key) : counts.names().of(call.key));
		}
		return arguments.runBy(this.runner::runEventually, scripts);
	}

	private CompletableFuture<List<@Nullable StoreException>> results(List<Call> calls, CountingScripts scripts,
			boolean isFirst, byte[] bytes) {
		ByteBuffer reply = ByteBuffer.wrap(bytes);
		long now = reply.getLong();
		List<@Nullable StoreException> results = new ArrayList<>();
		List<Integer> again = new ArrayList<>();
		for (Call call : calls) {
			ScriptFailure failure = next(reply, call);
			Long lacking = (failure != null && isFirst) ? failure.outsideOfEdges() : null;
			if (lacking != null) {
				this.callerClock.set(now);
				this.encoded.get(call.counts).reach(lacking);
				again.add(results.size());
			}
			results.add((failure != null) ? this.failures.of(failure) : null);
		}
		return again.isEmpty() ? CompletableFuture.completedFuture(results)
				: run(again.stream().map(calls::get).toList(), scripts, false)
					.thenApply((repeated) -> replaced(results, again, repeated));
	}

	private @Nullable ScriptFailure next(ByteBuffer reply, Call call) {
		ScriptFailure failure = ScriptFailure.next(reply);
		if (failure == null) {
			long[] results = new long[this.encoded.get(call.counts).names().size()];
			reply.asLongBuffer().get(results);
			reply.position(reply.position() + results.length * Long.BYTES);
			call.whenDone.accept(results);
		}
		return failure;
	}

	private static List<@Nullable StoreException> replaced(List<@Nullable StoreException> results, List<Integer> again,
			List<@Nullable StoreException> repeated) {
		for (int i = 0; i < repeated.size(); i++) {
			results.set(again.get(i), repeated.get(i));
		}
		return results;
	}

	/**
	 * Results of calls: the failure of each, {@code null} if it succeeded.
	 */
	private interface Results extends Supplier<CompletableFuture<List<@Nullable StoreException>>> {

	}

	/**
	 * Call of a script.
	 *
	 * @param whenDone gets the result of each count
	 */
	private record Call(RuleCounts counts, StoredKey key, Function<EncodedCounts, EncodedCall> encoding,
			Consumer<long[]> whenDone) {

		static Call of(Demand demand, Function<EncodedCounts, EncodedCall> encoding) {
			return new Call(demand.counts(), demand.key(), encoding, (results) -> {
			});
		}

	}

}
