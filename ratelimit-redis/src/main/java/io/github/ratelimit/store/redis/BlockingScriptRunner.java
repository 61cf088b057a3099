package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Script runner over any blocking client, Jedis for example. The client blocks a few
 * threads of this runner for as long as its own timeouts allow; callers keep to the
 * timeout of the store. A server of a cluster that hangs blocks no more than its own.
 */
final class BlockingScriptRunner implements ScriptRunner {

	private static final long CLOSING_MILLIS = 500;

	private static final int THREADS = 16;

	private static final int WAITING = 10_000;

	private final RedisConnectionFactory connections;

	private final Duration timeout;

	private final ThreadPoolExecutor executor;

	/** Threads that have been started. One that could not be started has no end. */
	private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

	private final Map<Object, Server> servers = new ConcurrentHashMap<>();

	private final boolean cluster;

	private final String address;

	/** The client of the latest call, {@code null} before the first one. */
	private volatile @Nullable JedisClient client;

	private volatile boolean paused;

	BlockingScriptRunner(RedisConnectionFactory connections, boolean cluster, String address, Duration timeout,
			ThreadFactory factory) {
		this.connections = connections;
		this.cluster = cluster;
		this.address = address;
		this.timeout = timeout;
		this.executor = (ThreadPoolExecutor) Executors.newCachedThreadPool((work) -> {
			this.threads.removeIf((thread) -> thread.getState() == Thread.State.TERMINATED);
			return factory.newThread(() -> {
				this.threads.add(Thread.currentThread());
				work.run();
			});
		});
	}

	static ThreadFactory daemons() {
		CustomizableThreadFactory factory = new CustomizableThreadFactory("ratelimit-redis-");
		factory.setDaemon(true);
		return factory;
	}

	@Override
	public CompletableFuture<Void> connect() {
		try {
			return CompletableFuture.runAsync(() -> this.connections.getConnection().close(), server(this));
		}
		catch (Throwable ex) { // no thread
			return CompletableFuture.failedFuture(ex);
		}
	}

	@Override
	public CompletableFuture<byte[]> run(ScriptCall call) {
		if (this.paused) {
			call.fail(RedisFailures.STOPPED);
			return call.reply();
		}
		Server server = server((call.keys().length > 0) ? ownerOf(call.keys()[0]) : this);
		if (call.isTimed()) {
			server.watch.watch(call.reply(), Scheduler::onTimerThread);
		}
		try {
			server.execute(() -> evaluate(call, server.watch));
		}
		catch (Throwable ex) { // no thread now, and a later one must not send the call
			call.fail(ex);
		}
		return call.reply();
	}

	private Server server(Object owner) {
		return this.servers.computeIfAbsent(owner, (unknown) -> new Server());
	}

	private void evaluate(ScriptCall call, ReplyWatch watch) {
		if (call.isOver()) {
			return;
		}
		try (RedisConnection connection = this.connections.getConnection()) {
			JedisClient jedis = ScriptRunnerFactory.jedisBehind(connection);
			if (jedis != null) {
				this.client = jedis;
				jedis.run(call, watch);
			}
			else {
				byte[] value = evaluate(connection.scriptingCommands(), call);
				watch.heard();
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
	public Object ownerOf(byte[] key) {
		JedisClient known = this.client;
		Object owner = (known != null) ? known.ownerOf(key) : null;
		return (owner != null) ? owner : this;
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
		this.servers.values().forEach((server) -> server.waiting.clear());
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

	/** What a server has for itself: some threads, and the watch over its replies. */
	private final class Server implements Executor, Runnable {

		private final ReplyWatch watch = new ReplyWatch(BlockingScriptRunner.this.timeout);

		private final Queue<Runnable> waiting = new LinkedBlockingQueue<>(WAITING);

		private final Semaphore free = new Semaphore(THREADS);

		@Override
		public void execute(Runnable task) {
			if (!this.waiting.offer(task)) {
				throw new RejectedExecutionException();
			}
			if (this.free.tryAcquire()) {
				try {
					BlockingScriptRunner.this.executor.execute(this);
				}
				catch (Throwable ex) {
					this.free.release();
					throw ex;
				}
			}
		}

		/** Run on a thread of this server what waits for one. */
		@Override
		public void run() {
			do {
				try {
					for (Runnable next = this.waiting.poll(); next != null; next = this.waiting.poll()) {
						next.run();
					}
				}
				finally {
					this.free.release();
				}
			}
			while (!this.waiting.isEmpty() && this.free.tryAcquire());
		}

	}

}
