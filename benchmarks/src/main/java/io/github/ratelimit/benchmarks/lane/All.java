package io.github.ratelimit.benchmarks.lane;

import java.nio.file.Path;
import java.util.List;

import io.github.ratelimit.benchmarks.measure.Documents;
import io.github.ratelimit.benchmarks.measure.Settings;
import io.github.ratelimit.benchmarks.session.Page;
import io.github.ratelimit.benchmarks.session.Session;

/**
 * All lanes in one go. It writes their tables and the load of the machine into
 * {@code docs/contributing/benchmarks.md}. {@code LANES} selects lanes by a regular
 * expression found in their names.
 */
public final class All {

	static final List<Class<?>> LANES = List.of(LocalDecision.class, AnnotatedCall.class, RedisOneThread.class,
			RedisManyKeys.class, RedisHotKey.class, RedisAttack.class, RedisCost.class, CallNumber.class,
			Candidates.class, RecordedDenial.class, JdbcManyKeys.class, JdbcHotKey.class, VirtualThreads.class,
			Http.class, Startup.class, StartupAheadOfTime.class, Growth.class, Bounds.class);

	/**
	 * First version of Java with virtual threads.
	 */
	private static final int VIRTUAL_THREADS = 21;

	private All() {
	}

	/**
	 * Run the lanes.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		List<Class<?>> lanes = LANES.stream().filter(Settings::selects).toList();
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		String virtualThreadsJava = System.getenv().getOrDefault("LANE_VIRTUAL_JAVA", java);
		if (lanes.contains(VirtualThreads.class) && virtualThreadsJava.equals(java)
				&& Runtime.version().feature() < VIRTUAL_THREADS) {
			throw new IllegalStateException("JDK " + Runtime.version()
					+ " has no virtual threads. Set LANE_VIRTUAL_JAVA to the java of JDK 25, or select lanes with LANES.");
		}
		Session session = new Session(new Page(Documents.path("contributing/benchmarks.md")));
		lanes.forEach((lane) -> session.measure((lane == VirtualThreads.class) ? virtualThreadsJava : java, lane));
		session.failures().forEach((failure) -> System.out.println("FAILED: " + failure));
		System.exit(session.failures().isEmpty() ? 0 : 1);
	}

}
