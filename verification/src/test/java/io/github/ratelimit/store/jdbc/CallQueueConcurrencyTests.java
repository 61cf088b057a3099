package io.github.ratelimit.store.jdbc;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;

import javax.sql.DataSource;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.concurrency.Interleavings;

/**
 * Calls that wait for transactions, of which some break or are rolled back, while callers
 * give up: each call is answered, each one that was committed for nobody is known to be
 * late, no two transactions need the same row at once, and in the end the queue takes the
 * next calls with all its threads.
 */
@Tag("in-ci")
@Tag("concurrency")
public class CallQueueConcurrencyTests {

	private static final int CONNECTIONS = 2;

	private static final List<RowKey> KEYS = List.of(new RowKey("rule", "ann"), new RowKey("rule", "bob"));

	@Test
	void everyCallIsAnsweredOnce() {
		Interleavings.checkFromTheStart(Queued.class);
	}

	/**
	 * Queue whose threads are those that run operations.
	 */
	@Param(name = "key", gen = IntGen.class, conf = "0:1")
	public static class Queued {

		private final Queue<Waiting> calls = new ConcurrentLinkedQueue<>();

		/** What the transaction of a thread has decided. */
		private final Map<Thread, Queue<Counts>> decided = new ConcurrentHashMap<>();

		private final Queue<CompletableFuture<Boolean>> works = new ConcurrentLinkedQueue<>();

		private final Queue<SQLException> failures = new ConcurrentLinkedQueue<>();

		private final Map<RowKey, Thread> locked = new ConcurrentHashMap<>();

		private final Queue<String> faults = new ConcurrentLinkedQueue<>();

		private final HeldThreads threads = new HeldThreads();

		private final CallQueue queue = new CallQueue(new NoConnections(), new Transactions(),
				new JdbcFailures(Duration.ofMillis(100)), this.threads);

		@Operation(params = "key")
		public void call(int key) {
			begin(List.of(KEYS.get(key)));
		}

		@Operation
		public void callOfTwoRules() {
			begin(KEYS);
		}

		private void begin(List<RowKey> keys) {
			Counts counts = new Counts(new AtomicInteger(), new AtomicInteger(), new AtomicInteger());
			CompletableFuture<Integer> answer = this.queue.call(new StoreCall<>(keys, (rows) -> {
				Thread thread = Thread.currentThread();
				for (RowKey key : keys) {
					Thread other = this.locked.put(key, thread);
					if (other != null && other != thread) {
						this.faults.add("Two transactions need " + key);
					}
				}
				this.decided.computeIfAbsent(thread, (each) -> new ConcurrentLinkedQueue<>()).add(counts);
				return 1;
			}, (late) -> counts.late().incrementAndGet()));
			answer.whenComplete((result, failure) -> counts.answered().incrementAndGet());
			this.calls.add(new Waiting(answer, counts));
		}

		@Operation
		public void run() {
			this.works.add(this.queue.run((connection) -> true));
		}

		@Operation
		public void work() {
			Runnable next = this.threads.getQueue().poll();
			if (next != null) {
				next.run();
			}
		}

		@Operation
		public void giveUp() {
			for (Waiting each : this.calls) {
				if (each.answer().cancel(false)) {
					return;
				}
			}
		}

		@Operation
		public void breakConnection() {
			this.failures.add(new SQLException("broken", "08006"));
		}

		@Operation
		public void loseCommit() {
			this.failures.add(new SQLException("unknown", "08007"));
		}

		@Validate
		public void nothingIsLeft() {
			while (!this.threads.getQueue().isEmpty()) {
				work();
			}
			for (Waiting each : this.calls) {
				Counts counts = each.counts();
				int committed = counts.committed().get();
				check(each.answer().isDone(), "A call was not answered");
				check(counts.answered().get() == 1, "A call was answered " + counts.answered() + " times");
				check(committed <= 1, "A call was committed " + committed + " times");
				check(counts.late().get() == (each.answer().isCancelled() ? committed : 0),
						counts.late() + " late answers to a call that was committed " + committed + " times");
			}
			check(this.works.stream().allMatch(CompletableFuture::isDone), "Work was not done");
			check(this.faults.isEmpty(), String.join(", ", this.faults));
			check(!this.queue.isConnecting(), "Calls wait for a connection");
			for (int key = 0; key < KEYS.size(); key++) {
				call(key);
			}
			check(this.threads.getQueue().size() == CONNECTIONS, this.threads.getQueue().size() + " threads begin");
		}

		private static void check(boolean holds, String otherwise) {
			if (!holds) {
				throw new IllegalStateException(otherwise);
			}
		}

		/**
		 * Call of a caller.
		 */
		private record Waiting(CompletableFuture<Integer> answer, Counts counts) {

		}

		/**
		 * How often a call was committed, answered, and answered late.
		 */
		private record Counts(AtomicInteger committed, AtomicInteger answered, AtomicInteger late) {

		}

		/**
		 * Transactions without a database, which fail as they are told to.
		 */
		private final class Transactions extends StateTable {

			Transactions() {
				super(new RowNames("test"), 1, Duration.ofMillis(100), SchemaInitialization.NEVER, () -> 0);
			}

			@Override
			void decide(Connection connection, List<StoreCall<?>> calls) throws SQLException {
				LockedRows rows = new LockedRows(Map.of(), new RowNames("test"), 1, 0);
				calls.forEach((call) -> call.decide(rows));
				Thread ours = Thread.currentThread();
				Queue<Counts> all = Queued.this.decided.remove(ours);
				Queued.this.locked.values().removeIf((thread) -> thread == ours);
				SQLException failure = Queued.this.failures.poll();
				if (failure != null) {
					throw failure;
				}
				if (all != null) {
					all.forEach((counts) -> counts.committed().incrementAndGet());
				}
			}

			@Override
			<T> T work(Connection connection, SqlFunction<Connection, T> work) throws SQLException {
				return work.apply(connection); // there is none to restore
			}

		}

	}

	/**
	 * Threads that never begin by themselves.
	 */
	private static final class HeldThreads extends ThreadPoolExecutor {

		HeldThreads() {
			super(CONNECTIONS, CONNECTIONS, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
		}

		@Override
		public void execute(Runnable command) {
			getQueue().add(command);
		}

	}

	/**
	 * Data source whose connections nobody uses.
	 */
	private static final class NoConnections implements DataSource {

		@Override
		public Connection getConnection() {
			return null;
		}

		@Override
		public Connection getConnection(String user, String password) {
			return null;
		}

		@Override
		public PrintWriter getLogWriter() {
			return null;
		}

		@Override
		public void setLogWriter(PrintWriter writer) {
		}

		@Override
		public void setLoginTimeout(int seconds) {
		}

		@Override
		public int getLoginTimeout() {
			return 0;
		}

		@Override
		public Logger getParentLogger() throws SQLFeatureNotSupportedException {
			throw new SQLFeatureNotSupportedException();
		}

		@Override
		public <T> T unwrap(Class<T> type) throws SQLException {
			throw new SQLException();
		}

		@Override
		public boolean isWrapperFor(Class<?> type) {
			return false;
		}

	}

}
