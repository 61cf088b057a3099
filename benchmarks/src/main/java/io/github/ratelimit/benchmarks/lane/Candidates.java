package io.github.ratelimit.benchmarks.lane;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

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
import io.github.ratelimit.benchmarks.peer.Application;
import io.github.ratelimit.benchmarks.peer.Contenders;
import io.github.ratelimit.redis.process.RedisProcess;

/**
 * Cost of candidates in Redis: a rule with some candidates of the same numbers, compared
 * with the same rule without. A candidate with another algorithm needs the general
 * script.
 */
public final class Candidates {

	private static final String NONE = name(0);

	private Candidates() {
	}

	/**
	 * Run the benchmark.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		Settings settings = Settings.read(2, 5);
		try (RedisProcess redis = RedisProcess.start()) {
			List<Contender> contenders = Stream
				.concat(Stream.of(0, 1, 2, 4).map((size) -> contender(redis, name(size), size, "token-bucket")),
						Stream.of(contender(redis, "1 candidate, `sliding-window`", 1, "sliding-window")))
				.toList();
			ServerLane lone = ServerLane.overRedis(redis, settings, Load.threads(1), Keys.many(10_000))
				.run(contenders, Keys.all(10_000));
			ServerLane batches = ServerLane.overRedis(redis, settings, Load.threads(64), Keys.many(10_000))
				.run(contenders, List.of());
			ServerLane hot = ServerLane.overRedis(redis, settings, Load.threads(64), Keys.hot())
				.run(contenders, List.of());
			Table table = new Table(List.of("", "Redis µs, 1 thread", "of none", "64 threads", "of none",
					"64 threads, one key", "of none"));
			for (Contender contender : contenders) {
				String name = contender.name();
				table.row(name,
						Stream.of(lone, batches, hot)
							.flatMap((lane) -> Stream.of(lane.quote(name, Measurement::serverMicros),
									lane.ratio(name, NONE, Measurement::serverMicros)))
							.toList());
			}
			new Report("What candidates cost Redis").table(table)
				.paragraph("Medians of %s, and of the ratios within a round. %s; %s.", settings, Machine.description(),
						Machine.description(redis))
				.print();
		}
		System.exit(0);
	}

	private static String name(int candidates) {
		return (candidates == 0) ? "no candidate" : (candidates == 1) ? "1 candidate" : candidates + " candidates";
	}

	private static Contender contender(RedisProcess redis, String name, int candidates, String algorithm) {
		Map<String, Object> properties = new HashMap<>();
		for (int i = 0; i < candidates; i++) {
			String candidate = "ratelimit.rules." + Application.RULE + ".candidates.candidate-" + i;
			properties.put(candidate + ".max", Quota.PLENTY.max());
			properties.put(candidate + ".algorithm", algorithm);
		}
		return Contenders.ours(redis, Quota.PLENTY, name, "token-bucket", properties);
	}

}
