package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.store.SummaryStore;

/**
 * Summaries in Redis: a hash per rule, with the summary of each instance and the time at
 * which it was shared. It is bounded by the number of instances, forgets those that have
 * shared nothing for ten minutes, and expires with the last one.
 */
final class RedisSummaries implements SummaryStore {

	private static final long LIFETIME = Duration.ofMinutes(10).toMillis();

	/** Bound on the instances of a rule. */
	private static final int MOST = 100;

	private final RedisSetup setup;

	private final byte[] instance;

	RedisSummaries(RedisSetup setup) {
		this.setup = setup;
		this.instance = Long.toString(setup.instance, Character.MAX_RADIX).getBytes(StandardCharsets.US_ASCII);
	}

	@Override
	public CompletionStage<?> shareSummary(String rule, byte[] content) {
		return run(Scripts.SHARE, rule, this.instance, content, now(), Arguments.number(LIFETIME),
				Arguments.number(MOST));
	}

	@Override
	public List<SharedSummary> summariesOfOthers(String rule) {
		return this.setup.failures.await(run(Scripts.READ, rule, this.instance, now(), Arguments.number(LIFETIME))
			.thenApply(RedisSummaries::summaries));
	}

	private static List<SharedSummary> summaries(byte[] bytes) {
		ByteBuffer reply = ByteBuffer.wrap(bytes);
		List<SharedSummary> summaries = new ArrayList<>();
		while (reply.hasRemaining()) {
			long age = reply.getLong();
			byte[] content = new byte[reply.getInt()];
			reply.get(content);
			summaries.add(new SharedSummary(age, content));
		}
		return summaries;
	}

	private byte[] now() {
		return Arguments.number(this.setup.clock.getAsLong());
	}

	private CompletableFuture<byte[]> run(Script script, String rule, byte[]... arguments) {
		return this.setup.runner.run(script, new byte[][] { this.setup.keys.ofRule("top", rule) }, arguments);
	}

	/**
	 * Scripts, read by the thread that shares summaries: the first denial, which creates
	 * this object, may be on an event loop.
	 */
	private static final class Scripts {

		private static final Script SHARE = Script.of(Script.read("share-summary"));

		private static final Script READ = Script.of(Script.read("read-summaries"));

	}

}
