package io.github.ratelimit.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.jdbc.StateTable.SqlFunction;

/**
 * Queue of calls that wait for a transaction. A transaction decides all calls that wait
 * when it begins, up to a size, except those that need a row of another transaction of
 * this instance: these join the next one. So calls of one key share transactions, and a
 * row that another instance does not unlock stops one connection only.
 *
 * <p>
 * Threads of the queue, no callers, wait for connections and the database, since a pool
 * may let them wait for longer than callers do, whose wait is bounded. There are as many
 * as connections that the limiter may take at once. Work whose connection breaks before
 * the commit is repeated on another one, so a pool with broken connections fails no call.
 */
final class CallQueue implements AutoCloseable {

	/** Number of rows that a transaction may lock, unless a single call needs more. */
	private static final int MOST_ROWS = 64;

	private static final int MOST_CALLS = 500;

	private static final int MOST_WAITING = 10_000;

	/** Number of connections in a row that break, beyond which calls fail. */
	private static final int MOST_BROKEN = 20;

	/** Number of transactions in a row that wait for different rows, in an outage. */
	private static final int MOST_LOCKED = 3;

	/** How long to wait for the first answer at least. */
	private static final long FIRST = Duration.ofSeconds(2).toNanos();

	private final DataSource dataSource;

	private final StateTable table;

	private final JdbcFailures failures;

	private final ThreadPoolExecutor workers;

	private final AtomicInteger connecting = new AtomicInteger();

	private final LinkedList<StoreCall<?>> waiting = new LinkedList<>();

	private final Set<RowKey> busy = new HashSet<>();

	private int active;

	/** Rows for which transactions have waited in vain since one was committed. */
	private final List<Set<RowKey>> locked = new CopyOnWriteArrayList<>();

	private boolean closed;

	/** Create a queue that takes so many connections at once at most. */
	CallQueue(DataSource dataSource, StateTable table, JdbcFailures failures, int connections) {
		this(dataSource, table, failures, new ThreadPoolExecutor(connections, connections, 10, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), (work) -> daemon(work, "ratelimit-jdbc")));
		this.workers.allowCoreThreadTimeOut(true);
	}

	CallQueue(DataSource dataSource, StateTable table, JdbcFailures failures, ThreadPoolExecutor workers) {
		this.dataSource = dataSource;
		this.table = table;
		this.failures = failures;
		this.workers = workers;
	}

	/** Create a thread that inherits nothing from the call that needs it first. */
	static Thread daemon(Runnable work, String name) {
		Thread thread = new Thread(null, work, name, 0, false);
		thread.setContextClassLoader(CallQueue.class.getClassLoader());
		thread.setDaemon(true);
		return thread;
	}

	/** Return whether calls wait for a connection of the pool. */
	boolean isConnecting() {
		return this.connecting.get() > 0;
	}

	/** Let a call be decided by the rows that it needs, and answered. */
	<T> CompletableFuture<T> call(List<RowKey> keys, Function<LockedRows, T> decision) {
		return call(new StoreCall<>(keys, decision, (late) -> {
		}));
	}

	synchronized <T> CompletableFuture<T> call(StoreCall<T> call) {
		if (this.closed || this.waiting.size() >= MOST_WAITING) {
			call.completeExceptionally(this.closed ? JdbcFailures.STOPPED : JdbcFailures.OVERLOAD);
		}
		else {
			this.waiting.add(call);
			if (call.keys().stream().noneMatch(this.busy::contains)) {
				startOneMore();
			}
		}
		return call;
	}

	/** If no thread can be started, those that run go on, or the latest call fails. */
	private void startOneMore() {
		if (this.active < this.workers.getMaximumPoolSize()) {
			this.active++;
			Throwable failure = start(List.of());
			if (failure != null && --this.active == 0) {
				this.waiting.removeLast().completeExceptionally(this.failures.of(failure));
			}
		}
	}

	/**
	 * Decide calls on a thread, after some whose transaction has ended. The thread is
	 * left to other work that waits for one, and calls go on behind that.
	 * @return why no thread could be started, {@code null} if there is one
	 */
	private @Nullable Throwable start(List<StoreCall<?>> done) {
		try {
			this.workers.execute(() -> {
				List<StoreCall<?>> batch = next(done);
				while (!batch.isEmpty()) {
					decide(batch);
					boolean isPassedOn = !this.workers.getQueue().isEmpty() && start(batch) == null;
					batch = isPassedOn ? List.of() : next(batch);
				}
			});
			return null;
		}
		catch (Throwable ex) { // not even memory for a thread
			return ex;
		}
	}

	/**
	 * Take the next calls after some whose transaction has ended. Another thread begins
	 * if there are more. No call overtakes an earlier one that needs a row of its own.
	 */
	private synchronized List<StoreCall<?>> next(List<StoreCall<?>> done) {
		done.forEach((call) -> this.busy.removeAll(call.keys()));
		List<StoreCall<?>> batch = new ArrayList<>();
		Set<RowKey> taken = new HashSet<>();
		Set<RowKey> reserved = new HashSet<>();
		Iterator<StoreCall<?>> calls = this.waiting.iterator();
		while (calls.hasNext() && batch.size() < MOST_CALLS && taken.size() < MOST_ROWS) {
			StoreCall<?> call = calls.next();
			if (call.isDone()) {
				calls.remove();
			}
			else if (call.keys().stream().anyMatch((key) -> this.busy.contains(key) || reserved.contains(key))) {
				reserved.addAll(call.keys());
			}
			else {
				calls.remove();
				batch.add(call);
				taken.addAll(call.keys());
			}
		}
		this.busy.addAll(taken);
		if (batch.isEmpty()) {
			this.active--;
		}
		else if (calls.hasNext()) {
			startOneMore();
		}
		return batch;
	}

	private void decide(List<StoreCall<?>> batch) {
		Throwable failure = work(() -> batch.stream().allMatch(StoreCall::isDone), (connection) -> {
			this.table.decide(connection, batch);
			this.failures.noteAnswer(batch);
			forgetLocked(batch);
			batch.forEach(StoreCall::answer);
			return true;
		});
		if (failure != null) {
			StoreException reason = reason(failure, batch);
			batch.forEach((call) -> call.completeExceptionally(reason));
		}
	}

	/** A locked row concerns its key alone, several in a row mean an outage. */
	private StoreException reason(Throwable failure, List<StoreCall<?>> batch) {
		if (JdbcFailures.isLocked(failure)) {
			Set<RowKey> keys = keys(batch);
			if (this.locked.size() < MOST_LOCKED
					&& this.locked.stream().allMatch((others) -> Collections.disjoint(others, keys))) {
				this.locked.add(keys);
			}
			if (this.locked.size() >= MOST_LOCKED) {
				return new StoreException("Many rows of the database are locked", failure, "timeout", true, null);
			}
			this.failures.noteAnswer(batch);
		}
		return this.failures.of(failure);
	}

	/** Forget locked rows after a transaction that has got all those to be probed. */
	private void forgetLocked(List<StoreCall<?>> batch) {
		if (!this.locked.isEmpty() && keys(batch).containsAll(lockedRows())) {
			this.locked.clear();
		}
	}

	/** Return rows of which some are locked, so that they have to be probed. */
	List<RowKey> lockedRows() {
		return (this.locked.size() < MOST_LOCKED) ? List.of() : this.locked.stream().flatMap(Set::stream).toList();
	}

	private static Set<RowKey> keys(List<StoreCall<?>> batch) {
		return batch.stream().flatMap((call) -> call.keys().stream()).collect(Collectors.toSet());
	}

	/** Work on a connection, or on others while it breaks, and return why that failed. */
	private @Nullable Throwable work(BooleanSupplier isDone, SqlFunction<Connection, Boolean> work) {
		for (int i = 1; !isDone.getAsBoolean(); i++) {
			try (Connection connection = connect()) {
				if (!isDone.getAsBoolean()) {
					this.table.work(connection, work);
				}
				return null;
			}
			catch (SQLException | RuntimeException | Error ex) { // others wait
				if (i == MOST_BROKEN || !JdbcFailures.isBroken(ex)) {
					return ex;
				}
			}
		}
		return null;
	}

	private Connection connect() throws SQLException {
		this.connecting.incrementAndGet();
		try {
			return this.dataSource.getConnection();
		}
		catch (SQLException ex) {
			throw JdbcFailures.ofPool(ex);
		}
		finally {
			this.connecting.decrementAndGet();
		}
	}

	/** Run other work than calls on a connection of its own, unless it is given up. */
	<T> CompletableFuture<T> run(SqlFunction<Connection, T> work) {
		CompletableFuture<T> done = new CompletableFuture<>();
		this.workers.execute(() -> {
			Throwable failure = work(done::isDone, (connection) -> done.complete(work.apply(connection)));
			if (failure != null) {
				done.completeExceptionally(failure);
			}
		});
		return done;
	}

	/** Return an answer that fails in time, and with failures of the store only. */
	<T> CompletionStage<T> inTime(CompletableFuture<T> answer) {
		if (!answer.isDone()) {
			CompletableFuture.delayedExecutor(this.failures.timeout(), TimeUnit.NANOSECONDS, Runnable::run)
				.execute(() -> answer.completeExceptionally(timedOut()));
		}
		return this.failures.translated(answer);
	}

	private StoreException timedOut() {
		return this.failures.timedOut(isConnecting());
	}

	/** Begin a call and wait for its answer, unless the thread is interrupted before. */
	<T> T await(String rule, Supplier<CompletableFuture<T>> call) {
		if (Thread.currentThread().isInterrupted()) {
			throw new RateLimitInterruptedException(rule, new InterruptedException());
		}
		return this.failures.await(rule, call.get(), this.failures.timeout(), this::timedOut);
	}

	/** Wait for an answer that concerns no rule. */
	<T> T await(CompletableFuture<T> answer) {
		return this.failures.await(null, answer, this.failures.timeout(), this::timedOut);
	}

	/** Wait for the first answer, which needs a connection and loads classes. */
	void awaitFirst(CompletableFuture<?> answer) {
		this.failures.await(null, answer, Math.max(this.failures.timeout(), FIRST), this::timedOut);
	}

	/** Answer no call from now on. Those that wait are decided, and the threads end. */
	@Override
	public void close() {
		synchronized (this) {
			this.closed = true;
		}
		this.workers.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
	}

}
