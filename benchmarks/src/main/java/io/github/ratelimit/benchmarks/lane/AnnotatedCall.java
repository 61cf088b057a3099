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
 * A call of an annotated method, counted inside the process, by one of a hundred users.
 */
public class AnnotatedCall {

	/**
	 * Run it.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		JmhLane lane = new JmhLane("Annotated call", AnnotatedCall.class, Settings.read(5, 3));
		for (AnnotatedContender contender : AnnotatedContender.values()) {
			lane.row(contender.title(), "contender", contender.name());
		}
		lane.threads(1, 2).run(AnnotatedContender.versions());
	}

	/**
	 * What is measured.
	 */
	@Benchmark
	public int reply(Service service, User user) {
		return service.replies.reply(user.next(), "text");
	}

	/**
	 * What is called.
	 */
	@State(Scope.Benchmark)
	public static class Service {

		/**
		 * Which one.
		 */
		@Param("TOKEN_BUCKET")
		public AnnotatedContender contender;

		private Replies replies;

		/**
		 * Make it.
		 */
		@Setup(Level.Trial)
		public void open() {
			this.replies = this.contender.open();
		}

	}

	/**
	 * Who calls.
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
