package io.github.ratelimit.benchmarks.lane;

import java.util.concurrent.atomic.AtomicInteger;

import io.github.ratelimit.benchmarks.measure.JmhLane;
import io.github.ratelimit.benchmarks.measure.Keys;
import io.github.ratelimit.benchmarks.measure.Settings;
import io.github.ratelimit.benchmarks.peer.AnnotatedContender;
import io.github.ratelimit.benchmarks.peer.Replies;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Call of an annotated method, counted inside the process, by one of a hundred users.
 */
public class AnnotatedCall {

	/**
	 * Run the benchmark.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		JmhLane lane = new JmhLane("Annotated call", AnnotatedCall.class, Settings.read(2, 3));
		for (AnnotatedContender contender : AnnotatedContender.values()) {
			lane.row(contender.title(), "contender", contender.name());
		}
		lane.run(AnnotatedContender.versions());
	}

	/**
	 * Measure a call.
	 */
	@Benchmark
	public int reply(Service service, User user) {
		return service.replies.reply(user.next(), "text");
	}

	/**
	 * Service under test.
	 */
	@State(Scope.Benchmark)
	public static class Service {

		/**
		 * Contender that limits the method.
		 */
		@Param("TOKEN_BUCKET")
		public AnnotatedContender contender;

		private Replies replies;

		/**
		 * Create the service.
		 */
		@Setup(Level.Trial)
		public void open() {
			this.replies = this.contender.open();
		}

	}

	/**
	 * User that calls.
	 */
	@State(Scope.Thread)
	public static class User {

		private static final AtomicInteger FIRST = new AtomicInteger();

		private final String[] ids = Keys.all(100).toArray(String[]::new);

		private int at = 31 * FIRST.getAndIncrement();

		private String next() {
			this.at = (this.at + 1) % this.ids.length;
			return this.ids[this.at];
		}

	}

}
