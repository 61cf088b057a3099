package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

import io.github.ratelimit.redis.process.RedisProcess;

/**
 * Script runner that awaits the reply on the caller's thread, for tests of what scripts
 * decide: no other thread has to be woken up, so it costs the least processor time.
 */
final class SynchronousScriptRunner implements ScriptRunner {

	private static final int PATIENCE_MILLIS = 20_000;

	private static final Map<String, Script> CHANGED = new ConcurrentHashMap<>();

	private static volatile UnaryOperator<String> change = UnaryOperator.identity();

	private final Jedis connection;

	SynchronousScriptRunner(RedisProcess redis) {
		this.connection = new Jedis(redis.host(), redis.port(), PATIENCE_MILLIS);
	}

	/**
	 * Change all scripts from now on, to prove that tests notice it.
	 */
	static void changeScripts(UnaryOperator<String> how) {
		change = how;
		CHANGED.clear();
	}

	static String changed(String script) {
		return change.apply(script);
	}

	private static Script changed(Script script) {
		String text = changed(script.text());
		return script.text().equals(script.sent()) ? Script.readingNumber(text) : Script.of(text);
	}

	@Override
	public synchronized CompletableFuture<byte[]> run(ScriptCall call) {
		try {
			return CompletableFuture.completedFuture(run(call.script(), List.of(call.keys()), call.arguments()));
		}
		catch (JedisConnectionException ex) {
			this.connection.disconnect();
			return CompletableFuture.failedFuture(ex);
		}
		catch (JedisException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private byte[] run(Script script, List<byte[]> keys, byte[][] arguments) {
		CallNumber number = new CallNumber();
		Script changed = CHANGED.computeIfAbsent(script.sent(), (sent) -> changed(script));
		return number.removeFrom((byte[]) send(changed, keys, List.of(number.before(arguments))));
	}

	private Object send(Script script, List<byte[]> keys, List<byte[]> arguments) {
		try {
			return this.connection.evalsha(script.sha(), keys, arguments);
		}
		catch (JedisNoScriptException ex) {
			return this.connection.eval(script.sent().getBytes(StandardCharsets.UTF_8), keys, arguments);
		}
	}

}
