package io.github.ratelimit.benchmarks.peer;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.benchmarks.measure.Keys;
import io.github.ratelimit.benchmarks.measure.Quota;
import io.github.ratelimit.redis.process.RedisProcess;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;

/**
 * Script call of a decision of this library, as Redis received it, to be sent by other
 * contenders.
 */
final class SentCall {

	private static final byte[] EVALSHA = "EVALSHA".getBytes(StandardCharsets.US_ASCII);

	/**
	 * Key of the recorded call, as long as the others.
	 */
	private static final String SEEN = Keys.all(1).get(0).replace("user", "seen");

	private final List<byte[]> words;

	private SentCall(List<byte[]> words) {
		this.words = words;
	}

	/**
	 * Make one call, and read it from the slow log of Redis, which logs all commands
	 * during this.
	 */
	static SentCall record(RedisProcess redis, Quota quota) {
		RedisClient client = RedisClient.create(RedisURI.create(redis.host(), redis.port()));
		try (StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE);
				Application application = Application.redis(redis, Application.rule("token-bucket", quota), Map.of())) {
			RateLimiter limiter = application.limiter();
			limiter.tryAcquire(SEEN);
			redis.command("CONFIG", "SET", "slowlog-log-slower-than", "0");
			limiter.reset(SEEN);
			limiter.tryAcquire(SEEN);
			redis.command("CONFIG", "SET", "slowlog-log-slower-than", "-1");
			return new SentCall(find(connection.sync()));
		}
		finally {
			client.shutdown();
		}
	}

	/**
	 * Return the latest script call, which is the first in the log.
	 */
	private static List<byte[]> find(RedisCommands<byte[], byte[]> commands) {
		for (Object entry : commands.slowlogGet(100)) {
			List<byte[]> words = new ArrayList<>();
			((List<?>) ((List<?>) entry).get(3)).forEach((word) -> words.add((byte[]) word));
			boolean decides = Arrays.equals(words.get(0), EVALSHA)
					&& words.stream().anyMatch((word) -> text(word).contains(SEEN));
			if (decides) {
				return words;
			}
		}
		throw new IllegalStateException("No EVALSHA among the last calls");
	}

	private static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.ISO_8859_1);
	}

	String sha() {
		return text(this.words.get(1));
	}

	int keyCount() {
		return Integer.parseInt(text(this.words.get(2)));
	}

	byte[][] keys(String key) {
		return words(3, 3 + keyCount(), key);
	}

	byte[][] arguments(String key) {
		return words(3 + keyCount(), this.words.size(), key);
	}

	private byte[][] words(int from, int to, String key) {
		byte[][] words = new byte[to - from][];
		for (int i = 0; i < words.length; i++) {
			words[i] = put(this.words.get(from + i), key);
		}
		return words;
	}

	private static byte[] put(byte[] word, String key) {
		if (word.length < SEEN.length()) {
			return word;
		}
		String text = text(word);
		int at = text.indexOf(SEEN);
		if (at < 0) {
			return word;
		}
		byte[] changed = word.clone();
		byte[] bytes = key.getBytes(StandardCharsets.US_ASCII);
		System.arraycopy(bytes, 0, changed, at, bytes.length);
		return changed;
	}

}
