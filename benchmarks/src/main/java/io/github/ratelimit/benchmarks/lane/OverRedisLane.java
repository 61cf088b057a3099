package io.github.ratelimit.benchmarks.lane;

import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.benchmarks.measure.Contender;
import io.github.ratelimit.benchmarks.measure.Exactness;
import io.github.ratelimit.benchmarks.measure.Keys;
import io.github.ratelimit.benchmarks.measure.Load;
import io.github.ratelimit.benchmarks.measure.Machine;
import io.github.ratelimit.benchmarks.measure.Quota;
import io.github.ratelimit.benchmarks.measure.ServerLane;
import io.github.ratelimit.benchmarks.measure.Report;
import io.github.ratelimit.benchmarks.measure.Settings;
import io.github.ratelimit.benchmarks.peer.Contenders;
import io.github.ratelimit.redis.process.RedisProcess;
import org.jspecify.annotations.Nullable;

/**
 * Lane in which all contenders over Redis take turns on one Redis server, with its
 * printed tables.
 *
 * @param title the title of the table
 * @param quota the quota of each key
 * @param few the quota of the key for the check of exactness, {@code null} for no check
 * @param planned how many keys come under different plans, for contenders of their own
 */
record OverRedisLane(String title, Quota quota, @Nullable Quota few, int planned) {

	/**
	 * Run the lane, and exit the JVM even if contenders leave threads running.
	 */
	void run(Load load, Keys keys, List<String> prepared) {
		Settings settings = Settings.read(2, 3);
		try (RedisProcess redis = RedisProcess.start()) {
			List<Contender> contenders = new ArrayList<>(
					Contenders.all(redis, this.quota, this.quota.equals(Quota.EXHAUSTED), settings::includes));
			if (this.planned > 0) {
				contenders.addAll(Contenders.underPlans(redis, this.quota, this.planned, settings::includes));
			}
			ServerLane lane = ServerLane.overRedis(redis, settings, load, keys).run(contenders, prepared);
			Report report = new Report(this.title).table(lane.table(Contenders.PLAIN));
			if (this.few != null) {
				report.paragraph("%s",
						Exactness.check(this.few, Contenders.all(redis, this.few, true, settings::includes)));
			}
			report
				.paragraph("Medians of %s. %s; %s. %s.", settings, Machine.description(), Machine.description(redis),
						Contenders.versions())
				.print();
		}
		System.exit(0);
	}

}
