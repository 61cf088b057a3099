package io.github.ratelimit.store.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Refund;

/**
 * Refunds in Redis, one script call per slot.
 */
final class RedisRefunds {

	private static final Logger logger = System.getLogger(RedisRefunds.class.getName());

	private final CountingScripts scripts = new CountingScripts("each-count", "give-back");

	private final ScriptRunner runner;

	private final RedisKeys keys;

	private final LongSupplier clock;

	private volatile Consumer<Demand> whenUnused = (demand) -> {
	};

	/**
	 * Create a new instance.
	 * @param clock the time in microseconds, or 0 for that of the Redis server
	 */
	RedisRefunds(ScriptRunner runner, RedisKeys keys, LongSupplier clock) {
		this.runner = runner;
		this.keys = keys;
		this.clock = clock;
	}

	/**
	 * Have somebody told of refunds that nobody has asked for.
	 */
	void whenUnused(Consumer<Demand> action) {
		this.whenUnused = action;
	}

	CompletableFuture<?> send(List<Refund> refunds) {
		if (!this.runner.hasManyServers()) {
			return sendToOneSlot(refunds);
		}
		Map<Integer, List<Refund>> bySlot = refunds.stream()
			.collect(Collectors.groupingBy((refund) -> this.keys.slot(refund.demand())));
		return CompletableFuture
			.allOf(bySlot.values().stream().map(this::sendToOneSlot).toArray(CompletableFuture[]::new));
	}

	/**
	 * Refund what was taken by calls whose callers have gone.
	 */
	void sendUnused(List<Refund> refunds) {
		send(refunds).whenComplete((done, failure) -> {
			if (failure != null) {
				logger.log(Level.DEBUG, "Units of calls that were given up could not be refunded", failure);
			}
			refunds.forEach((refund) -> this.whenUnused.accept(refund.demand()));
		});
	}

	private CompletableFuture<byte[]> sendToOneSlot(List<Refund> refunds) {
		Arguments arguments = new Arguments(this.clock.getAsLong());
		for (Refund refund : refunds) {
			Demand demand = refund.demand();
			arguments.call(Plan.of(refund), this.keys.names(demand.rule(), demand.key()));
		}
		return arguments.runBy(this.runner::runEventually, this.scripts);
	}

}
