package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
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
 * Script runner over any blocking client, Jedis for example. The client blocks a few
 * threads of this runner for as long as its own timeouts allow; callers keep to the
 * timeout of the store.
 */
final class BlockingScriptRunner implements ScriptRunner {

	private static final long CLOSING_MILLIS = 500;

	private static final int THREADS = 16;

	private static final int WAITING = 10_000;

	private final RedisConnectionFactory connections;

	private final ThreadPoolExecutor executor;

	private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

	private final boolean cluster;

	private final String address;

	private final ReplyWatch watch;

	private volatile boolean paused;

	BlockingScriptRunner(RedisConnectionFactory connections, boolean cluster, String address, Duration timeout) {
		this.connections = connections;
		this.cluster = cluster;
		this.address = address;
		this.watch = new ReplyWatch(timeout);
		CustomizableThreadFactory factory = new CustomizableThreadFactory("ratelimit-redis-");
		factory.setDaemon(true);
		this.executor = new ThreadPoolExecutor(THREADS, THREADS, 1, TimeUnit.MINUTES,
				new LinkedBlockingQueue<>(WAITING), (work) -> {
					this.threads.removeIf((thread) -> thread.getState() == Thread.State.TERMINATED);
					Thread thread = factory.newThread(work);
					this.threads.add(thread);
					return thread;
				});
		this.executor.allowCoreThreadTimeOut(true);
	}

	@Override
	public CompletableFuture<Void> connect() {
		try {
			return CompletableFuture.runAsync(() -> this.connections.getConnection().close(), this.executor);
		}
		catch (RejectedExecutionException ex) {
			return CompletableFuture.failedFuture(ex);
		}
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
		if (this.paused) {
			call.fail(RedisFailures.STOPPED);
			return call.reply();
		}
		try {
			this.executor.execute(() -> evaluate(call));
		}
		catch (RuntimeException ex) {
			call.fail(ex);
		}
		return call.reply();
	}

	/**
	 * Watch a reply. In a cluster each reply is watched separately: a reply from one
	 * server does not show that another one is alive.
	 */
	private void watch(CompletableFuture<byte[]> reply) {
		ReplyWatch ofServer = this.cluster ? this.watch.ofAnother() : this.watch;
		ofServer.watch(reply, Scheduler::onTimerThread);
	}

	private void evaluate(ScriptCall call) {
		if (call.isOver()) {
			return;
		}
		try (RedisConnection connection = this.connections.getConnection()) {
			JedisClient jedis = ScriptRunnerFactory.JEDIS ? JedisClient.behind(connection) : null;
			if (jedis != null) {
				jedis.run(call, this.watch);
			}
			else {
				byte[] value = evaluate(connection.scriptingCommands(), call);
				this.watch.heard();
				call.replied(value);
			}
		}
		catch (Throwable ex) {
			call.fail(ex);
		}
	}

	private static byte[] evaluate(RedisScriptingCommands commands, ScriptCall call) {
		int keys = call.keys().length;
		CallNumber number = new CallNumber();
		byte[][] keysAndArguments = Stream.of(call.keys(), number.before(call.arguments()))
			.flatMap(Arrays::stream)
			.toArray(byte[][]::new);
		byte[] reply;
		try {
			reply = commands.evalSha(call.script().sha(), ReturnType.VALUE, keys, keysAndArguments);
		}
		catch (RuntimeException ex) {
			if (!ScriptRunner.isUnknownScript(ex)) {
				throw ex;
			}
			reply = commands.eval(call.script().sent().getBytes(StandardCharsets.UTF_8), ReturnType.VALUE, keys,
					keysAndArguments);
		}
		return number.removeFrom(reply);
	}

	@Override
	public boolean hasManyServers() {
		return this.cluster;
	}

	@Override
	public String address() {
		return this.address;
	}

	@Override
	public boolean occupiesThreads() {
		return true;
	}

	/** Run no script. Threads that have nothing to do end. */
	@Override
	public void pause() {
		this.paused = true;
		this.executor.setKeepAliveTime(1, TimeUnit.NANOSECONDS);
	}

	@Override
	public void resume() {
		this.paused = false;
		this.executor.setKeepAliveTime(1, TimeUnit.MINUTES);
	}

	/**
	 * End the threads, and wait until they have ended: a servlet container reports those
	 * that are left. An executor that has terminated may still have threads that are
	 * about to end. A call in flight may keep its thread for longer.
	 */
	@Override
	public void close() {
		this.paused = true;
		this.executor.shutdownNow();
		try {
			if (this.executor.awaitTermination(CLOSING_MILLIS, TimeUnit.MILLISECONDS)) {
				for (Thread thread : this.threads) {
					thread.join(CLOSING_MILLIS);
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
