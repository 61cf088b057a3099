package io.github.ratelimit.benchmarks.lane;

import java.util.List;

import io.github.ratelimit.benchmarks.measure.Contender;
import io.github.ratelimit.benchmarks.measure.Exactness;
import io.github.ratelimit.benchmarks.measure.Keys;
import io.github.ratelimit.benchmarks.measure.Load;
import io.github.ratelimit.benchmarks.measure.Machine;
import io.github.ratelimit.benchmarks.measure.Quota;
import io.github.ratelimit.benchmarks.measure.Report;
import io.github.ratelimit.benchmarks.measure.ServerLane;
import io.github.ratelimit.benchmarks.measure.Settings;
import io.github.ratelimit.benchmarks.peer.Contenders;
import io.github.ratelimit.benchmarks.peer.Database;
import org.jspecify.annotations.Nullable;

/**
 * Lane in which all contenders that count in a database take turns on one PostgreSQL,
 * with its printed table.
 */
final class OverDatabaseLane {

	private OverDatabaseLane() {
	}

	/**
	 * Run the lane, and exit the JVM even if contenders leave threads running.
	 * @param few the quota of the key for the check of exactness, {@code null} for no
	 * check
	 */
	static void run(String title, @Nullable Quota few, Keys keys, List<String> prepared) {
		Settings settings = Settings.read(2, 3);
		try (Database database = Database.start()) {
			List<Contender> contenders = Contenders.inDatabase(database, Quota.PLENTY, settings::includes);
			ServerLane lane = new ServerLane("PostgreSQL", database::cpuMicros, settings, Load.threads(64), keys)
				.run(contenders, prepared);
			Report report = new Report(title).table(lane.table(Contenders.BUCKET4J));
			contenders.forEach(Contender::close);
			if (few != null) {
				report.paragraph("%s", Exactness.check(few, Contenders.inDatabase(database, few, settings::includes)));
			}
			report
				.paragraph("Medians of %s. %s; %s. %s.", settings, Machine.description(), database.description(),
						Contenders.versionsInDatabase())
				.print();
		}
		System.exit(0);
	}

}
