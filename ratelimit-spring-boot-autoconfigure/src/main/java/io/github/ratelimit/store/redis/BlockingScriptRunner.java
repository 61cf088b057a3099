package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Runs scripts over any connection factory, Jedis's for example, on a few threads of its
 * own: a blocking client keeps to its own time-outs, its callers to ours.
 */
final class BlockingScriptRunner implements ScriptRunner {

	private static final int THREADS = 16;

	private static final int WAITING = 10_000;

	private final RedisConnectionFactory connections;

	private final ThreadPoolExecutor executor;

	private final boolean cluster;

	private final String address;

	private final ReplyWatch watch;

	private final ReplyTimer timer;

	/**
	 * Create a new runner.
	 * @param cluster whether the connections lead to a cluster
	 * @param address where Redis is, for messages
	 */
	BlockingScriptRunner(RedisConnectionFactory connections, boolean cluster, String address, Duration timeout) {
		this.connections = connections;
		this.cluster = cluster;
		this.address = address;
		this.watch = new ReplyWatch(timeout);
		this.timer = new ReplyTimer(this.watch, ReplyTimer::onTimerThread);
		CustomizableThreadFactory threads = new CustomizableThreadFactory("ratelimit-redis-");
		threads.setDaemon(true);
		this.executor = new ThreadPoolExecutor(THREADS, THREADS, 1, TimeUnit.MINUTES,
				new LinkedBlockingQueue<>(WAITING), threads);
		this.executor.allowCoreThreadTimeOut(true);
	}

	@Override
	public CompletableFuture<Void> connect() {
		return CompletableFuture.runAsync(() -> this.connections.getConnection().close(), this.executor);
	}

	@Override
	public CompletableFuture<byte[]> run(Script script, byte[][] keys, byte[][] arguments, Consumer<byte[]> late) {
		ScriptCall call = new ScriptCall(script, keys, arguments, late, true);
		watch(call.reply());
		return run(call);
	}

	@Override
	public CompletableFuture<byte[]> runEventually(Script script, byte[][] keys, byte[][] arguments) {
		return run(new ScriptCall(script, keys, arguments, (late) -> {
		}, false));
	}

	private CompletableFuture<byte[]> run(ScriptCall call) {
		try {
			this.executor.execute(() -> evaluate(call));
		}
		catch (RuntimeException ex) {
			call.fail(ex);
		}
		return call.reply();
	}

	/**
	 * The replies of one server of a cluster do not tell that another one is not silent.
	 */
	private void watch(CompletableFuture<byte[]> reply) {
		ReplyTimer ofServer = this.cluster ? new ReplyTimer(this.watch.ofAnother(), ReplyTimer::onTimerThread)
				: this.timer;
		ofServer.watch(reply);
	}

	private void evaluate(ScriptCall call) {
		if (call.isOver()) {
			return;
		}
		byte[][] keysAndArguments = Stream.concat(Arrays.stream(call.keys()), Arrays.stream(call.arguments()))
			.toArray(byte[][]::new);
		try (RedisConnection connection = this.connections.getConnection()) {
			byte[] value = evaluate(connection.scriptingCommands(), call.script(), call.keys().length,
					keysAndArguments);
			this.watch.heard();
			call.replied(value);
		}
		catch (Exception ex) {
			call.fail(ex);
		}
	}

	private byte[] evaluate(RedisScriptingCommands commands, Script script, int keys, byte[][] keysAndArguments) {
		try {
			return commands.evalSha(script.sha(), ReturnType.VALUE, keys, keysAndArguments);
		}
		catch (RuntimeException ex) {
			if (!ScriptRunner.isUnknownScript(ex)) {
				throw ex;
			}
			return commands.eval(script.text().getBytes(StandardCharsets.UTF_8), ReturnType.VALUE, keys,
					keysAndArguments);
		}
	}

	@Override
	public boolean hasManyServers() {
		return this.cluster;
	}

	@Override
	public Object ownerOf(byte[] key) {
		return this;
	}

	@Override
	public String address() {
		return this.address;
	}

	@Override
	public boolean occupiesThreads() {
		return true;
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

}
