package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreException;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Counters in Redis, shared by all instances. A decision is one script call; the time is
 * that of the Redis server.
 *
 * @since 0.1.0
 */
public final class RedisRateLimitStore implements RateLimitStore, AutoCloseable {

	/**
	 * A multiple of any cost that could be admitted, within the numbers Lua keeps exact.
	 */
	private static final long MAX_COST = 1L << 52;

	private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(2);

	/**
	 * How many time-outs to wait, should the runner fail to notice that one is over.
	 */
	private static final int OVERDUE = 20;

	private static final int OUTCOME_BYTES = 3 * Long.BYTES;

	private static final Script RESET = Script.of(List.of("reset"));

	private final DecisionScripts scripts = new DecisionScripts();

	private final ScriptRunner runner;

	private final RedisKeys keys;

	private final Duration timeout;

	private final LongSupplier clock;

	/**
	 * Create a new store over the application's connections.
	 * @param connections where Redis is
	 * @param keyPrefix what every key begins with
	 * @param timeout how long to wait for an answer
	 */
	public RedisRateLimitStore(RedisConnectionFactory connections, String keyPrefix, Duration timeout) {
		this(connections, keyPrefix, timeout, () -> 0);
	}

	/**
	 * Create a new store.
	 * @param clock the time in microseconds, or 0 for that of the Redis server
	 */
	RedisRateLimitStore(RedisConnectionFactory connections, String keyPrefix, Duration timeout, LongSupplier clock) {
		this(ScriptRunners.over(connections, timeout), keyPrefix, timeout, clock);
	}

	RedisRateLimitStore(ScriptRunner runner, String keyPrefix, Duration timeout, LongSupplier clock) {
		this.runner = runner;
		this.keys = new RedisKeys(keyPrefix);
		this.timeout = timeout;
		this.clock = clock;
	}

	/**
	 * Connects and loads a script. Goes on connecting when it gives up waiting.
	 */
	@Override
	public void connect() {
		await(this.runner.connect(), CONNECT_PATIENCE);
		Script script = this.scripts.of(EnumSet.of(Algorithm.SLIDING_LOG));
		await(this.runner.run(script, new byte[0][], new byte[][] { number(0) }));
	}

	@Override
	public List<LimitOutcome> acquire(List<Demand> demands) {
		return outcomes(await(ask(demands)));
	}

	@Override
	public CompletionStage<List<LimitOutcome>> acquireAsync(List<Demand> demands) {
		return ask(demands).handle((value, failure) -> {
			if (failure != null) {
				throw failed(failure);
			}
			return outcomes(value);
		});
	}

	private CompletableFuture<byte[]> ask(List<Demand> demands) {
		Set<Algorithm> algorithms = EnumSet.noneOf(Algorithm.class);
		List<byte[]> names = new ArrayList<>();
		List<byte[]> arguments = new ArrayList<>();
		arguments.add(number(this.clock.getAsLong()));
		for (Demand demand : demands) {
			for (Limit limit : demand.rule().limits()) {
				algorithms.add(limit.algorithm());
				names.add(this.keys.name(demand.rule(), limit, demand.key()));
				arguments.add(text(limit.algorithm().yamlName()));
				arguments.add(number(Math.min(demand.cost(), MAX_COST)));
				parameters(limit).forEach((parameter) -> arguments.add(number(parameter)));
			}
		}
		return this.runner.run(this.scripts.of(algorithms), names.toArray(byte[][]::new),
				arguments.toArray(byte[][]::new));
	}

	/**
	 * What the Lua twin has to know of a limit.
	 */
	private static List<Long> parameters(Limit limit) {
		return switch (limit.algorithm()) {
			case SLIDING_LOG -> List.of(limit.max(), limit.periodMicros());
			case TOKEN_BUCKET -> List.of(limit.capacity(), limit.rate().units(), limit.rate().micros());
			case WEIGHTED_WINDOW -> List.of(limit.max(), limit.periodMicros());
			case DEFAULT -> throw new IllegalArgumentException("DEFAULT has to be resolved before counting");
		};
	}

	@Override
	public void reset(RateLimitRule rule, String key) {
		byte[][] names = rule.limits().stream().map((limit) -> this.keys.name(rule, limit, key)).toArray(byte[][]::new);
		await(this.runner.run(RESET, names, new byte[0][]));
	}

	private byte[] await(CompletableFuture<byte[]> reply) {
		return await(reply, this.timeout.multipliedBy(OVERDUE));
	}

	private <T> T await(CompletableFuture<T> reply, Duration patience) {
		try {
			return reply.get(patience.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			reply.cancel(true);
			Thread.currentThread().interrupt();
			throw failed(ex);
		}
		catch (ExecutionException | TimeoutException ex) {
			reply.cancel(true);
			throw failed(ex);
		}
	}

	private StoreException failed(Throwable failure) {
		boolean wrapped = failure instanceof ExecutionException || failure instanceof CompletionException;
		Throwable cause = (wrapped && failure.getCause() != null) ? failure.getCause() : failure;
		if (cause instanceof TimeoutException) {
			return new StoreException("Redis did not answer within " + this.timeout.toMillis() + " ms", cause);
		}
		if (cause instanceof InterruptedException) {
			return new StoreException("The caller was interrupted while waiting for Redis", cause);
		}
		return new StoreException("Redis failed: " + NestedExceptionUtils.getMostSpecificCause(cause).getMessage(),
				cause);
	}

	private static List<LimitOutcome> outcomes(byte[] reply) {
		ByteBuffer buffer = ByteBuffer.wrap(reply);
		List<LimitOutcome> outcomes = new ArrayList<>(reply.length / OUTCOME_BYTES);
		while (buffer.hasRemaining()) {
			outcomes.add(new LimitOutcome(buffer.getLong(), buffer.getLong(), buffer.getLong()));
		}
		return outcomes;
	}

	private static byte[] number(long number) {
		return text(Long.toString(number));
	}

	private static byte[] text(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	@Override
	public Decision.Origin origin() {
		return Decision.Origin.REDIS;
	}

	@Override
	public void close() {
		this.runner.close();
	}

}
