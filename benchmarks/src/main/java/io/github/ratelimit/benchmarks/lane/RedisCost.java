package io.github.ratelimit.benchmarks.lane;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.benchmarks.measure.Contender;
import io.github.ratelimit.benchmarks.measure.Keys;
import io.github.ratelimit.benchmarks.measure.Load;
import io.github.ratelimit.benchmarks.measure.Machine;
import io.github.ratelimit.benchmarks.measure.Measurement;
import io.github.ratelimit.benchmarks.measure.Quota;
import io.github.ratelimit.benchmarks.measure.ServerLane;
import io.github.ratelimit.benchmarks.measure.Report;
import io.github.ratelimit.benchmarks.measure.Settings;
import io.github.ratelimit.benchmarks.measure.Table;
import io.github.ratelimit.benchmarks.peer.Contenders;
import io.github.ratelimit.redis.process.RedisProcess;

/**
 * Cost of a decision in Redis: processor time, and memory per key.
 */
public final class RedisCost {

	/**
	 * Quota of a call every 3.6 s, so that calls stay stored during the measurement.
	 */
	private static final Quota HOURLY = new Quota(1_000, Duration.ofHours(1));

	private static final List<String> ALGORITHMS = List.of("sliding-log", "sliding-window", "weighted-window",
			"fixed-window", "leaky-bucket");

	private RedisCost() {
	}

	/**
	 * Run the benchmark.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		Settings settings = Settings.read(2, 3);
		try (RedisProcess redis = RedisProcess.start()) {
			ServerLane alone = ServerLane.overRedis(redis, settings, Load.threads(1), Keys.many(10_000));
			ServerLane crowd = ServerLane.overRedis(redis, settings, Load.threads(64), Keys.many(10_000));
			List<Contender> busy = Contenders.all(redis, Quota.PLENTY, false, settings::includes);
			alone.run(busy, Keys.all(10_000));
			crowd.run(busy, List.of());
			Table table = new Table(
					List.of("", "Redis µs, 1 thread", "Redis µs, 64 threads", "bytes, 1 call", "bytes, 100 calls"));
			for (Contender contender : remembering(redis, settings)) {
				table.row(contender.name(),
						List.of(alone.quote(contender.name(), Measurement::serverMicros),
								crowd.quote(contender.name(), Measurement::serverMicros), bytes(redis, contender, 1),
								bytes(redis, contender, 100)));
			}
			new Report("What a decision costs Redis").table(table)
				.paragraph("Medians of %s. %s; %s. %s.", settings, Machine.description(), Machine.description(redis),
						Contenders.versions())
				.print();
		}
		System.exit(0);
	}

	private static List<Contender> remembering(RedisProcess redis, Settings settings) {
		List<Contender> all = new ArrayList<>(Contenders.all(redis, HOURLY, false, settings::includes));
		for (String algorithm : ALGORITHMS) {
			String name = "this library, `%s`".formatted(algorithm);
			if (settings.includes(name)) {
				all.add(Contenders.ours(redis, HOURLY, name, algorithm, Map.of()));
			}
		}
		return all;
	}

	/**
	 * Return the memory of all keys, after some calls with one key in an empty Redis.
	 */
	private static String bytes(RedisProcess redis, Contender contender, int calls) {
		redis.command("FLUSHALL");
		String key = "%s-%06d".formatted("memory", calls);
		for (int i = 0; i < calls; i++) {
			contender.tryAcquire(key);
		}
		List<?> keys = (List<?>) redis.command("KEYS", "*");
		long bytes = keys.stream()
			.mapToLong((name) -> (Long) redis.command("MEMORY", "USAGE", String.valueOf(name), "SAMPLES", "0"))
			.sum();
		return "%,d".formatted(bytes) + ((keys.size() > 1) ? " in %d keys".formatted(keys.size()) : "");
	}

}
