package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.ChargeException;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleValue;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;

/**
 * Changes of counters without a decision: refunds, charges and resets. Several refunds or
 * charges are sent as one script call. If one fails, because its key holds a list for
 * example, the others still succeed.
 */
final class Corrections {

	private static final Script RESET = Script.of(Script.read("reset"));

	private static final String EACH_COUNT = "each-count";

	/**
	 * Time that a charge may take, in timeouts of calls.
	 */
	private static final int TIMEOUTS_OF_A_CHARGE = 20;

	private final CountingScripts refunds = new CountingScripts(EACH_COUNT, "refund");

	private final CountingScripts charges = new CountingScripts(EACH_COUNT, "charge");

	private final ScriptRunner runner;

	private final RuleValue<EncodedCounts> encoded;

	private final RedisFailures failures;

	private final Duration patience;

	private final LongSupplier clock;

	private final BanList bans;

	/**
	 * Create new corrections.
	 * @param encoded the counts of each rule
	 * @param timeout how long Redis has to answer a call
	 * @param clock the time in microseconds; 0 for the time of the Redis server
	 * @param bans lists banned keys, which resets release
	 */
	Corrections(ScriptRunner runner, RuleValue<EncodedCounts> encoded, RedisFailures failures, Duration timeout,
			LongSupplier clock, BanList bans) {
		this.runner = runner;
		this.encoded = encoded;
		this.failures = failures;
		this.patience = timeout.multipliedBy(TIMEOUTS_OF_A_CHARGE);
		this.clock = clock;
		this.bans = bans;
	}

	CompletableFuture<byte[]> reset(RuleCounts counts, StoredKey key) {
		this.bans.remove(counts.rule(), key);
		return this.runner.run(RESET, this.encoded.get(counts).names().of(key), new byte[0][]);
	}

	/**
	 * Refund units.
	 * @return when all are done; fails with the first failure
	 */
	CompletableFuture<Void> refund(List<Refund> refunds) {
		if (!this.runner.hasManyServers()) {
			return refundInOneSlot(refunds);
		}
		Map<Integer, List<Refund>> bySlot = refunds.stream()
			.collect(Collectors.groupingBy((refund) -> slot(refund.demand())));
		return CompletableFuture
			.allOf(bySlot.values().stream().map(this::refundInOneSlot).toArray(CompletableFuture[]::new));
	}

	private int slot(Demand demand) {
		return this.encoded.get(demand.counts()).names().slot(demand.key());
	}

	private CompletableFuture<Void> refundInOneSlot(List<Refund> refunds) {
		Calls calls = new Calls();
		for (Refund refund : refunds) {
			EncodedCounts counts = this.encoded.get(refund.demand().counts());
			calls.add(counts.refund(refund), counts.names().of(refund.demand().key()));
		}
		return calls.run(this.runner::runEventually, this.refunds).thenAccept((results) -> {
			for (StoreException failure : results) {
				if (failure != null) {
					throw failure;
				}
			}
		});
	}

	/**
	 * Charge units.
	 * @return when all are done; fails with a {@link ChargeException} if some failed
	 */
	CompletableFuture<Void> charge(List<Charge> charges) {
		List<CompletableFuture<List<@Nullable StoreException>>> groups = this.runner.hasManyServers()
				? charges.stream().map((charge) -> chargeInOneSlot(List.of(charge))).toList()
				: List.of(chargeInOneSlot(charges));
		return CompletableFuture.allOf(groups.toArray(CompletableFuture[]::new)).thenAccept((done) -> {
			List<@Nullable StoreException> results = new ArrayList<>();
			groups.forEach((group) -> results.addAll(group.join()));
			report(charges, results);
		});
	}

	private static void report(List<Charge> charges, List<@Nullable StoreException> results) {
		List<Charge> failed = new ArrayList<>();
		StoreException first = null;
		for (int i = 0; i < charges.size(); i++) {
			StoreException failure = results.get(i);
			if (failure != null) {
				first = (first != null) ? first : failure;
				failed.add(charges.get(i));
			}
		}
		if (first != null) {
			throw new ChargeException(first, failed);
		}
	}

	/**
	 * Charge units in one script call. When Redis does not answer, all charges fail. A
	 * failed charge is repeated later, so the timeout is long: otherwise a slow Redis
	 * would count it several times.
	 */
	private CompletableFuture<List<@Nullable StoreException>> chargeInOneSlot(List<Charge> charges) {
		Calls calls = new Calls();
		for (Charge charge : charges) {
			EncodedCounts counts = this.encoded.get(charge.counts());
			calls.add(counts.charge(charge), counts.names().of(charge.key()));
		}
		return calls.run(this.runner::runEventually, this.charges)
			.orTimeout(this.patience.toNanos(), TimeUnit.NANOSECONDS)
			.exceptionally((failure) -> Collections.nCopies(charges.size(), this.failures.of(failure)));
	}

	/**
	 * Calls to one script.
	 */
	private final class Calls {

		private final Arguments arguments = new Arguments(Corrections.this.clock.getAsLong());

		private final List<Integer> counts = new ArrayList<>();

		void add(EncodedCall call, byte[][] names) {
			this.arguments.call(call, names);
			this.counts.add(names.length);
		}

		/**
		 * Run the script.
		 * @return the failure of each call, {@code null} if it succeeded
		 */
		CompletableFuture<List<@Nullable StoreException>> run(Arguments.Run run, CountingScripts scripts) {
			return this.arguments.runBy(run, scripts).thenApply(this::results);
		}

		private List<@Nullable StoreException> results(byte[] bytes) {
			ByteBuffer reply = ByteBuffer.wrap(bytes).position(Long.BYTES);
			List<@Nullable StoreException> results = new ArrayList<>();
			for (int size : this.counts) {
				ScriptFailure failure = ScriptFailure.next(reply);
				results.add((failure != null) ? Corrections.this.failures.of(failure) : null);
				if (failure == null) {
					reply.position(reply.position() + size * Long.BYTES);
				}
			}
			return results;
		}

	}

}
