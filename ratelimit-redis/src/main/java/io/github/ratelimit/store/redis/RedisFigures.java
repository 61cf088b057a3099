package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Supplier;

import io.github.ratelimit.store.FigureStore;

/**
 * Sums of the figures of candidates in Redis, two keys for each candidate and one for
 * what each instance has added, in the hash slot of the overrides of rules.
 */
final class RedisFigures implements FigureStore {

	private static final Script ADD = Script.of(Script.read("add-figures"));

	/** Time that figures are kept after the last call. */
	private static final Duration KEPT = Duration.ofDays(30);

	/** Time within which an instance adds figures again whose reply was lost. */
	private static final Duration REPEATED = Duration.ofHours(1);

	private final RedisSetup setup;

	private final ScriptRunner reportingRunner;

	private final String prefix;

	private RedisFigures(RedisSetup setup, ScriptRunner reportingRunner) {
		this.setup = setup;
		this.reportingRunner = reportingRunner;
		this.prefix = new String(setup.keys.overrides(), StandardCharsets.UTF_8) + ":candidates:";
	}

	/**
	 * Return figures on demand. Spring reads the methods of the store of overrides and
	 * loads what they return, so this lambda is not one of them.
	 */
	static Supplier<FigureStore> of(RedisSetup setup, ScriptRunner reportingRunner) {
		return () -> new RedisFigures(setup, reportingRunner);
	}

	@Override
	public Figures add(String rule, String candidate, Added before, Figures news) {
		String name = this.prefix + rule + ':' + candidate;
		byte[][] keys = { RedisKeys.utf8(name), RedisKeys.utf8(name + ":denied-keys"),
				RedisKeys.utf8(name + ":added:" + before.instance()) };
		byte[][] arguments = { Arguments.number(news.since()), Arguments.number(news.calls()),
				Arguments.number(news.denied()), Arguments.number(news.liveDenied()), news.keys(),
				Arguments.number(KEPT.toMillis()), Arguments.number(before.calls()), Arguments.number(before.denied()),
				Arguments.number(before.liveDenied()), Arguments.number(REPEATED.toMillis()) };
		ByteBuffer reply = ByteBuffer.wrap(this.setup.failures.await(this.reportingRunner.run(ADD, keys, arguments)));
		long since = reply.getLong();
		long calls = reply.getLong();
		long denied = reply.getLong();
		long liveDenied = reply.getLong();
		byte[] registers = new byte[reply.remaining()];
		reply.get(registers);
		return new Figures(since, calls, denied, liveDenied, registers);
	}

}
