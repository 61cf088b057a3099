package io.github.ratelimit.benchmarks.lane;

import java.util.List;
import java.util.stream.Collectors;

import io.github.ratelimit.benchmarks.measure.Contender;
import io.github.ratelimit.benchmarks.measure.Keys;
import io.github.ratelimit.benchmarks.measure.Load;
import io.github.ratelimit.benchmarks.measure.Machine;
import io.github.ratelimit.benchmarks.measure.Pinning;
import io.github.ratelimit.benchmarks.measure.Quota;
import io.github.ratelimit.benchmarks.measure.ServerLane;
import io.github.ratelimit.benchmarks.measure.Report;
import io.github.ratelimit.benchmarks.measure.Settings;
import io.github.ratelimit.benchmarks.peer.Contenders;
import io.github.ratelimit.redis.process.RedisProcess;

/**
 * A thousand virtual threads, and a thousand calls in flight without threads, use 10,000
 * keys. This needs a JDK with virtual threads: {@code LANE_JAVA}.
 */
public final class VirtualThreads {

	private static final int CALLERS = 1_000;

	private VirtualThreads() {
	}

	/**
	 * Run the benchmark.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		Settings settings = Settings.read(2, 3);
		Keys keys = Keys.many(10_000);
		Load virtual = Load.virtualThreads(CALLERS);
		try (RedisProcess redis = RedisProcess.start()) {
			List<Contender> contenders = Contenders.all(redis, Quota.PLENTY, false, settings::includes);
			ServerLane blocking = ServerLane.overRedis(redis, settings, virtual, keys)
				.run(contenders, Keys.all(10_000));
			String pinned = contenders.stream()
				.map((contender) -> "%s %,d".formatted(contender.name(),
						Pinning.pinned(() -> virtual.run(contender, keys, settings.cell()))))
				.collect(Collectors.joining(", ", "Times a virtual thread was pinned: ", "."));
			ServerLane async = ServerLane.overRedis(redis, settings, Load.inFlight(CALLERS), keys)
				.run(contenders.stream().filter(Contender::isAsync).toList(), List.of());
			new Report("Virtual threads and asynchronous callers")
				.heading("1,000 virtual threads, 10,000 keys, allowed")
				.table(blocking.table(Contenders.PLAIN))
				.paragraph("%s", pinned)
				.heading("1,000 asynchronous calls in flight, 10,000 keys, allowed")
				.table(async.table(Contenders.PLAIN))
				.paragraph("Medians of %s. %s; %s. %s.", settings, Machine.description(), Machine.description(redis),
						Contenders.versions())
				.print();
		}
		System.exit(0);
	}

}
