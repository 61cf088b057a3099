package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/**
 * Runner of scripts for which the clock of the shared Redis stands still.
 */
final class ServerTime implements ScriptRunner {

	private static final String STOPPED = """
			local redis = setmetatable({
			  call = function(command, ...)
			    if command == 'TIME' then
			      return { '%d', '%d' }
			    end
			    return redis.call(command, ...)
			  end
			}, { __index = redis })

			""";

	private final ScriptRunner redis = new RedisStoreUnderTest.LongLived();

	private final String stopped;

	ServerTime(long micros) {
		this.stopped = STOPPED.formatted(micros / 1_000_000, micros % 1_000_000);
	}

	/**
	 * Run a script on one key.
	 * @param file the name of its file, without the extension
	 */
	byte[] run(String file, String key, byte[]... arguments) {
		return run(Script.of(Script.read(file)), new byte[][] { key.getBytes(StandardCharsets.UTF_8) }, arguments)
			.join();
	}

	@Override
	public CompletableFuture<byte[]> run(ScriptCall call) {
		return this.redis.run(Script.of(this.stopped + call.script().text()), call.keys(), call.arguments());
	}

	/**
	 * Return the milliseconds for which a script has given a key a time to live.
	 */
	static Object lifetime(String key) {
		return RedisUnderTest.process().command("HGET", "expires", key);
	}

	static byte[][] texts(String... texts) {
		return Arrays.stream(texts).map((text) -> text.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
	}

}
