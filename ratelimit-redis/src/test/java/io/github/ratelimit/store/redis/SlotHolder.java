package io.github.ratelimit.store.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoreEvents;

/**
 * Process whose calls hold all slots of a key and never end. It prints the slots that it
 * loses.
 */
final class SlotHolder implements AutoCloseable {

	static final String PREFIX = "holder";

	static final int MAX = 3;

	/**
	 * Long enough for a process that waits for a core to renew it.
	 */
	static final Duration LEASE = Duration.ofSeconds(2);

	static final RateLimitRule RULE = RateLimitRule.named("export")
		.limit(Limit.ofConcurrency(MAX).withLease(LEASE))
		.build();

	private final Process process;

	private final BufferedReader output;

	private SlotHolder(Process process) {
		this.process = process;
		this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
	}

	/**
	 * Run in a process of its own.
	 */
	public static void main(String[] arguments) throws InterruptedException {
		RedisRateLimitStore store = new RedisRateLimitStore(
				RunnerUnderTest.JEDIS.connections(arguments[0], Integer.parseInt(arguments[1])), PREFIX,
				Duration.ofSeconds(5));
		store.follow(StoreEvents.ofLostSlots((rule) -> System.out.println("lost")));
		for (int i = 0; i < MAX; i++) {
			if (!store.acquire(new Demand(RULE, arguments[2], 1)).isAdmitted()) {
				throw new IllegalStateException("taken");
			}
		}
		System.out.println("held");
		TimeUnit.MINUTES.sleep(1);
		System.exit(0);
	}

	/**
	 * Start a process, and wait until it holds all slots.
	 */
	static SlotHolder start(RedisProcess redis, String key) {
		try {
			SlotHolder holder = new SlotHolder(
					new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
							"-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
							SlotHolder.class.getName(), redis.host(), Integer.toString(redis.port()), key)
						.redirectError(ProcessBuilder.Redirect.DISCARD)
						.start());
			holder.awaitLine("held");
			return holder;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	void awaitLine(String expected) {
		try {
			String line = this.output.readLine();
			if (!expected.equals(line)) {
				throw new IllegalStateException(expected + " was expected, but the process wrote " + line);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	void kill() {
		this.process.destroyForcibly();
	}

	void freeze() {
		signal("STOP");
	}

	void resume() {
		signal("CONT");
	}

	private void signal(String name) {
		try {
			new ProcessBuilder("kill", "-" + name, Long.toString(this.process.pid())).start().waitFor();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		kill();
	}

}
