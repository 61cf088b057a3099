package io.github.ratelimit.store.jdbc;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.store.StoreException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Transactions of the queue, its threads, which calls share with other work, and its end.
 */
class CallQueueTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	private static final RowKey KEY = new RowKey("rule", "key");

	@AutoClose
	private final HikariDataSource pool = TestDatabase.H2.dataSource();

	private CallQueue queue(int connections) {
		return queue(new StateTable(new RowNames("test"), 1, PATIENCE, SchemaInitialization.ALWAYS, null), connections);
	}

	private CallQueue queue(StateTable table, int connections) {
		return new CallQueue(this.pool, table, new JdbcFailures(PATIENCE), connections);
	}

	private static RowKey key(Object name) {
		return new RowKey("rule", "key-" + name);
	}

	private static StoreException failure(CompletableFuture<?> call) {
		AtomicReference<StoreException> failure = new AtomicReference<>();
		assertThat(call).failsWithin(PATIENCE)
			.withThrowableOfType(ExecutionException.class)
			.havingCause()
			.isInstanceOfSatisfying(StoreException.class, failure::set);
		return failure.get();
	}

	@Test
	void otherWorkIsDoneWhileCallsNeverStopWaiting() {
		AtomicBoolean ended = new AtomicBoolean();
		AtomicInteger calls = new AtomicInteger();
		try (CallQueue queue = queue(1)) {
			callUntil(ended, queue, calls);
			await().until(() -> calls.get() > 100);
			assertThat(queue.run((connection) -> connection.isValid(1))).succeedsWithin(PATIENCE).isEqualTo(true);
			int before = calls.get();
			await().until(() -> calls.get() > before);
		}
		finally {
			ended.set(true);
		}
	}

	/**
	 * Make calls, each of which is waiting before the one before it is decided.
	 */
	private static void callUntil(AtomicBoolean ended, CallQueue queue, AtomicInteger calls) {
		queue.call(List.of(KEY), (rows) -> {
			calls.incrementAndGet();
			if (!ended.get()) {
				callUntil(ended, queue, calls);
			}
			return true;
		});
	}

	@Test
	void rowOfATransactionIsInNoOtherOne() {
		try (CallQueue queue = queue(2)) {
			CompletableFuture<Void> gate = new CompletableFuture<>();
			CompletableFuture<Void> begun = new CompletableFuture<>();
			CompletableFuture<Boolean> first = queue.call(List.of(KEY),
					(rows) -> begun.complete(null) && gate.join() == null);
			assertThat(begun).succeedsWithin(PATIENCE);
			CompletableFuture<Boolean> second = queue.call(List.of(KEY), (rows) -> first.isDone());
			for (int i = 0; i < 3; i++) {
				assertThat(queue.call(List.of(new RowKey("rule", "other")), (rows) -> true)).succeedsWithin(PATIENCE);
			}
			assertThat(second).isNotDone();
			gate.complete(null);
			assertThat(second).succeedsWithin(PATIENCE).isEqualTo(true);
		}
	}

	@Test
	void callsThatWaitAreDecidedWhenTheQueueIsClosed() {
		CallQueue queue = queue(2);
		CompletableFuture<Void> gate = new CompletableFuture<>();
		CompletableFuture<Boolean> first = queue.call(List.of(KEY), (rows) -> gate.join() == null);
		CompletableFuture<?>[] waiting = IntStream.range(0, 100)
			.mapToObj((i) -> queue.call(List.of(KEY, key(i)), (rows) -> i))
			.toArray(CompletableFuture[]::new);
		queue.close();
		gate.complete(null);
		assertThat(first).succeedsWithin(PATIENCE);
		assertThat(CompletableFuture.allOf(waiting)).succeedsWithin(PATIENCE);
	}

	@Test
	void callsOfAClosedQueueFailAtOnce() {
		CallQueue queue = queue(1);
		queue.close();
		CompletableFuture<Boolean> call = queue.call(List.of(KEY), (rows) -> true);
		assertThat(call).isDone();
		assertThat(failure(call).reason()).isEqualTo("stopped");
	}

	/**
	 * Begin a call that does not end before the future that is returned.
	 */
	private static CompletableFuture<Void> occupy(CallQueue queue) {
		CompletableFuture<Void> gate = new CompletableFuture<>();
		CompletableFuture<Void> begun = new CompletableFuture<>();
		queue.call(List.of(KEY), (rows) -> begun.complete(null) && gate.join() == null);
		assertThat(begun).succeedsWithin(PATIENCE);
		return gate;
	}

	@Test
	void callBeyondTenThousandThatWaitFailsAtOnce() {
		try (CallQueue queue = queue(1)) {
			CompletableFuture<Void> gate = occupy(queue);
			List<CompletableFuture<Boolean>> waiting = Stream.generate(() -> queue.call(List.of(KEY), (rows) -> true))
				.limit(10_000)
				.toList();
			CompletableFuture<Boolean> oneMore = queue.call(List.of(KEY), (rows) -> true);
			assertThat(oneMore).isDone();
			assertThat(failure(oneMore)).satisfies((failure) -> assertThat(failure.reason()).isEqualTo("overload"))
				.satisfies((failure) -> assertThat(failure.isOutage()).isFalse());
			assertThat(waiting).noneMatch(CompletableFuture::isDone);
			gate.complete(null);
			assertThat(waiting).allSatisfy((call) -> assertThat(call).succeedsWithin(PATIENCE));
		}
	}

	@Test
	void transactionHasAtMostFiveHundredCallsAndSixtyFourRows() {
		assertThat(transactions(IntStream.range(0, 600).mapToObj((i) -> List.of(KEY)))).containsExactly(500L, 100L);
		assertThat(transactions(IntStream.range(0, 130).mapToObj((i) -> List.of(key(i))))).containsExactly(64L, 64L,
				2L);
		assertThat(transactions(Stream.of(IntStream.range(0, 100).mapToObj(CallQueueTests::key).toList())))
			.as("a call that needs more")
			.containsExactly(1L);
	}

	@Test
	void callsBeyondATransactionAreDecidedByAnotherOneAtOnce() {
		try (CallQueue queue = queue(2)) {
			CompletableFuture<Void> begun = new CompletableFuture<>();
			CompletableFuture<Void> first = new CompletableFuture<>();
			CompletableFuture<Void> second = new CompletableFuture<>();
			queue.call(List.of(KEY, key("other")), (rows) -> begun.complete(null) && first.join() == null);
			assertThat(begun).succeedsWithin(PATIENCE);
			List<CompletableFuture<Boolean>> full = Stream
				.generate(() -> queue.call(List.of(KEY), (rows) -> second.join() == null))
				.limit(500)
				.toList();
			CompletableFuture<Boolean> beyond = queue.call(List.of(key("other")), (rows) -> true);
			first.complete(null);
			assertThat(beyond).succeedsWithin(PATIENCE).isEqualTo(true);
			assertThat(full).noneMatch(CompletableFuture::isDone);
			second.complete(null);
			assertThat(full).allSatisfy((call) -> assertThat(call).succeedsWithin(PATIENCE));
		}
	}

	/**
	 * Return the numbers of calls of the transactions that decide calls that wait
	 * together.
	 */
	private Collection<Long> transactions(Stream<List<RowKey>> calls) {
		try (CallQueue queue = queue(1)) {
			CompletableFuture<Void> gate = new CompletableFuture<>();
			CompletableFuture<Void> begun = new CompletableFuture<>();
			queue.call(List.of(key("first")), (rows) -> begun.complete(null) && gate.join() == null);
			assertThat(begun).succeedsWithin(PATIENCE);
			List<CompletableFuture<LockedRows>> waiting = calls.map((keys) -> queue.call(keys, (rows) -> rows))
				.toList();
			gate.complete(null);
			return waiting.stream()
				.collect(Collectors.groupingBy(CompletableFuture::join, LinkedHashMap::new, Collectors.counting()))
				.values();
		}
	}

	@Test
	void callThatIsGivenUpWhileItIsDecidedIsAnsweredLate() {
		CompletableFuture<String> late = new CompletableFuture<>();
		try (CallQueue queue = queue(1)) {
			AtomicReference<StoreCall<String>> given = new AtomicReference<>();
			given.set(new StoreCall<>(List.of(KEY), (rows) -> {
				given.get().cancel(false);
				return "decided";
			}, late::complete));
			queue.call(given.get());
			assertThat(late).succeedsWithin(PATIENCE).isEqualTo("decided");
		}
	}

	@Test
	void callThatWasGivenUpBeforehandOccupiesNoThread() {
		ThreadPoolExecutor workers = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
		try (CallQueue queue = new CallQueue(this.pool, new FailingTable(), new JdbcFailures(PATIENCE), workers)) {
			StoreCall<Boolean> given = new StoreCall<>(List.of(KEY), (rows) -> true, (late) -> {
			});
			given.cancel(false);
			queue.call(given);
			await().until(workers::getCompletedTaskCount, Predicate.isEqual(1L));
			assertThat(queue.call(List.of(KEY), (rows) -> true)).succeedsWithin(PATIENCE).isEqualTo(true);
		}
		finally {
			workers.shutdown();
		}
	}

	@Test
	void callForWhichNoThreadCanBeStartedFailsAndTheNextOnesAreDecided() {
		ScarceThreads threads = new ScarceThreads(2);
		try (CallQueue queue = new CallQueue(this.pool, new FailingTable(), new JdbcFailures(PATIENCE), threads)) {
			threads.missing.set(3);
			for (int i = 0; i < 3; i++) {
				assertThat(failure(queue.call(List.of(KEY), (rows) -> true)))
					.hasMessageContaining("unable to create native thread")
					.satisfies((failure) -> assertThat(failure.isOutage()).isTrue());
			}
			for (int i = 0; i < 3; i++) {
				assertThat(queue.call(List.of(KEY), (rows) -> true)).succeedsWithin(PATIENCE).isEqualTo(true);
			}
		}
		finally {
			threads.shutdown();
		}
	}

	@Test
	void threadThatIsAloneDecidesAllCalls() {
		ScarceThreads threads = new ScarceThreads(2);
		try (CallQueue queue = new CallQueue(this.pool, new FailingTable(), new JdbcFailures(PATIENCE), threads)) {
			CompletableFuture<Void> gate = occupy(queue);
			threads.missing.set(2);
			CompletableFuture<Boolean> ofOtherKey = queue.call(List.of(key("other")), (rows) -> true);
			List<CompletableFuture<Boolean>> more = Stream.generate(() -> queue.call(List.of(KEY), (rows) -> true))
				.limit(501)
				.toList();
			gate.complete(null);
			assertThat(ofOtherKey).succeedsWithin(PATIENCE);
			assertThat(more).allSatisfy((call) -> assertThat(call).succeedsWithin(PATIENCE));
			assertThat(threads.missing).hasValue(0);
		}
		finally {
			threads.shutdown();
		}
	}

	@Test
	void threadThatCannotBeReplacedForOtherWorkGoesOn() {
		ScarceThreads threads = new ScarceThreads(1);
		try (CallQueue queue = new CallQueue(this.pool, new FailingTable(), new JdbcFailures(PATIENCE), threads)) {
			CompletableFuture<Void> gate = occupy(queue);
			CompletableFuture<Boolean> work = queue.run((connection) -> true);
			threads.missing.set(1);
			gate.complete(null);
			assertThat(work).succeedsWithin(PATIENCE);
			assertThat(threads.missing).hasValue(0);
			assertThat(queue.call(List.of(KEY), (rows) -> true)).succeedsWithin(PATIENCE).isEqualTo(true);
		}
		finally {
			threads.shutdown();
		}
	}

	@Test
	void threadsInheritNothingAndEndWithTheApplication() {
		InheritableThreadLocal<String> inherited = new InheritableThreadLocal<>();
		inherited.set("caller");
		try (CallQueue queue = queue(1)) {
			CompletableFuture<Thread> thread = new CompletableFuture<>();
			assertThat(queue.run((connection) -> {
				thread.complete(Thread.currentThread());
				return String.valueOf(inherited.get());
			})).succeedsWithin(PATIENCE).isEqualTo("null");
			assertThat(thread.join().isDaemon()).isTrue();
			assertThat(thread.join().getContextClassLoader()).isSameAs(CallQueue.class.getClassLoader());
		}
	}

	@Test
	void queueIsConnectingWhileACallWaitsForAConnection() throws SQLException {
		try (HikariDataSource single = TestDatabase.pool(TestDatabase.H2.newUrl(), 1);
				CallQueue queue = new CallQueue(single, new FailingTable(), new JdbcFailures(PATIENCE), 1)) {
			CompletableFuture<Boolean> call;
			try (Connection only = single.getConnection()) {
				assertThat(queue.isConnecting()).isFalse();
				call = queue.call(List.of(KEY), (rows) -> true);
				await().until(queue::isConnecting);
				assertThat(only.isClosed()).isFalse();
			}
			assertThat(call).succeedsWithin(PATIENCE).isEqualTo(true);
			assertThat(queue.isConnecting()).isFalse();
		}
	}

	@Test
	void callThatCannotBeDecidedFailsAlone() {
		try (CallQueue queue = queue(1)) {
			StoreException refused = new StoreException("refused", null);
			CompletableFuture<Boolean> known = queue.call(List.of(KEY), (rows) -> {
				throw refused;
			});
			CompletableFuture<Boolean> unknown = queue.call(List.of(KEY), (rows) -> {
				throw new IllegalStateException("broken");
			});
			CompletableFuture<Boolean> other = queue.call(List.of(KEY), (rows) -> true);
			assertThat(failure(known)).isSameAs(refused);
			assertThat(failure(unknown)).hasMessageContaining("broken")
				.satisfies((failure) -> assertThat(failure.isOutage()).isFalse());
			assertThat(other).succeedsWithin(PATIENCE).isEqualTo(true);
		}
	}

	@Test
	void transactionIsTriedOnTwentyBrokenConnections() {
		FailingTable table = new FailingTable();
		try (CallQueue queue = queue(table, 1)) {
			table.failures.addAll(Collections.nCopies(19, "08006"));
			assertThat(queue.call(List.of(KEY), (rows) -> true)).succeedsWithin(PATIENCE);
			table.failures.addAll(Collections.nCopies(20, "08006"));
			assertThat(failure(queue.call(List.of(KEY), (rows) -> true)).reason()).isEqualTo("connection");
			assertThat(table.failures).isEmpty();
			table.failures.addAll(List.of("42P01", "unused"));
			assertThat(failure(queue.call(List.of(KEY), (rows) -> true)).reason()).isEqualTo("schema");
			assertThat(table.failures).as("another failure is not repeated").containsExactly("unused");
		}
	}

	@Test
	void poolWithoutConnectionIsAskedOnce() {
		AtomicInteger asked = new AtomicInteger();
		DataSource exhausted = (DataSource) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { DataSource.class }, (proxy, method, arguments) -> {
					throw new SQLException("cannot connect", (asked.incrementAndGet() == 1) ? null : "08S01");
				});
		try (CallQueue queue = new CallQueue(exhausted, new FailingTable(), new JdbcFailures(PATIENCE), 1)) {
			for (String reason : List.of("pool", "connection")) {
				StoreException failure = failure(queue.call(List.of(KEY), (rows) -> true));
				assertThat(failure.reason()).isEqualTo(reason);
				assertThat(failure.isOutage()).isTrue();
			}
			assertThat(asked).hasValue(2);
		}
	}

	@Test
	void thirdTransactionInARowThatWaitsForOtherLockedRowsIsAnOutage() {
		FailingTable table = new FailingTable();
		try (CallQueue queue = queue(table, 1)) {
			assertThat(locked(queue, table, "ann").isOutage()).isFalse();
			assertThat(locked(queue, table, "ann").isOutage()).as("the same row").isFalse();
			assertThat(locked(queue, table, "ann").isOutage()).as("the same row").isFalse();
			assertThat(locked(queue, table, "bob").isOutage()).isFalse();
			assertThat(queue.lockedRows()).isEmpty();
			assertThat(locked(queue, table, "cleo").isOutage()).isTrue();
			assertThat(locked(queue, table, "dan").isOutage()).isTrue();
			assertThat(queue.lockedRows()).containsExactlyInAnyOrder(key("ann"), key("bob"), key("cleo"));
			assertThat(queue.call(List.of(key("ann"), key("eve")), (rows) -> true)).succeedsWithin(PATIENCE);
			assertThat(queue.lockedRows()).as("others may be locked still").hasSize(3);
			assertThat(queue.call(queue.lockedRows(), (rows) -> true)).succeedsWithin(PATIENCE);
			assertThat(queue.lockedRows()).isEmpty();
			assertThat(locked(queue, table, "ann").isOutage()).isFalse();
		}
	}

	@Test
	void transactionBetweenThoseThatWaitForLockedRowsShowsThatTheDatabaseAnswers() {
		FailingTable table = new FailingTable();
		try (CallQueue queue = queue(table, 1)) {
			locked(queue, table, "ann");
			locked(queue, table, "bob");
			assertThat(queue.call(List.of(key("free")), (rows) -> true)).succeedsWithin(PATIENCE);
			assertThat(locked(queue, table, "cleo").isOutage()).isFalse();
		}
	}

	@Test
	void probeThatIsGivenUpWhileItWaitsForAConnectionShowsNotThatRowsAreUnlocked() throws SQLException {
		FailingTable table = new FailingTable();
		try (HikariDataSource single = TestDatabase.pool(TestDatabase.H2.newUrl(), 1);
				CallQueue queue = new CallQueue(single, table, new JdbcFailures(PATIENCE), 1)) {
			List.of("ann", "bob", "cleo").forEach((key) -> locked(queue, table, key));
			try (Connection only = single.getConnection()) {
				CompletableFuture<Boolean> probe = queue.call(queue.lockedRows(), (rows) -> true);
				await().until(queue::isConnecting);
				assertThat(only.isClosed()).isFalse();
				probe.cancel(false);
			}
			assertThat(queue.call(List.of(key("free")), (rows) -> true)).succeedsWithin(PATIENCE);
			assertThat(queue.lockedRows()).hasSize(3);
		}
	}

	@Test
	void callThatTimesOutIsAnOutageUnlessOthersAreAnsweredMeanwhile() {
		JdbcFailures failures = new JdbcFailures(TIMEOUT);
		try (CallQueue queue = new CallQueue(this.pool, new FailingTable(), failures, 2)) {
			CompletableFuture<Void> gate = occupy(queue);
			Supplier<CompletableFuture<Boolean>> call = () -> queue.inTime(queue.call(List.of(KEY), (rows) -> true))
				.toCompletableFuture();
			await().atMost(PATIENCE).until(() -> {
				CompletableFuture<Boolean> meanwhile = call.get();
				while (!meanwhile.isDone()) {
					assertThat(queue.call(List.of(key("other")), (rows) -> true)).succeedsWithin(PATIENCE);
				}
				return !failure(meanwhile).isOutage();
			});
			assertThat(failure(call.get()).isOutage()).isTrue();
			gate.complete(null);
		}
	}

	@Test
	void rowThatIsLockedShowsThatTheDatabaseAnswersUnlessManyAre() {
		JdbcFailures failures = new JdbcFailures(TIMEOUT);
		FailingTable table = new FailingTable();
		try (CallQueue queue = new CallQueue(this.pool, table, failures, 1)) {
			await().until(() -> failures.timedOut(false).isOutage());
			await().until(() -> {
				locked(queue, table, "ann");
				return !failures.timedOut(false).isOutage();
			});
			locked(queue, table, "bob");
			await().until(() -> failures.timedOut(false).isOutage());
			locked(queue, table, "cleo");
			assertThat(failures.timedOut(false).isOutage()).isTrue();
		}
	}

	private static StoreException locked(CallQueue queue, FailingTable table, String key) {
		table.failures.add("55P03");
		StoreException failure = failure(queue.call(List.of(key(key)), (rows) -> true));
		assertThat(failure.reason()).isEqualTo("timeout");
		return failure;
	}

	@Test
	void otherWorkIsDoneOnAnotherConnectionWhileConnectionsBreak() {
		Queue<String> states = new ConcurrentLinkedQueue<>(Collections.nCopies(19, "08006"));
		AtomicInteger attempts = new AtomicInteger();
		try (CallQueue queue = queue(1)) {
			assertThat(queue.run((connection) -> {
				attempts.incrementAndGet();
				if (!states.isEmpty()) {
					throw new SQLException("broken", states.remove());
				}
				return "done";
			})).succeedsWithin(PATIENCE).isEqualTo("done");
			assertThat(attempts).hasValue(20);
		}
	}

	@Test
	void otherWorkThatIsGivenUpIsNotRepeated() {
		AtomicInteger attempts = new AtomicInteger();
		AtomicReference<CompletableFuture<String>> given = new AtomicReference<>();
		CompletableFuture<Void> begun = new CompletableFuture<>();
		try (CallQueue queue = queue(1)) {
			given.set(queue.run((connection) -> {
				attempts.incrementAndGet();
				begun.join();
				given.get().cancel(false);
				throw new SQLException("broken", "08006");
			}));
			begun.complete(null);
			assertThat(queue.run((connection) -> "next")).succeedsWithin(PATIENCE).isEqualTo("next");
			assertThat(attempts).hasValue(1);
		}
	}

	@Test
	void failureOfOtherWorkIsItsResult() {
		try (CallQueue queue = queue(1)) {
			SQLException failure = new SQLException("broken");
			assertThat(queue.run((connection) -> {
				throw failure;
			})).failsWithin(PATIENCE).withThrowableOfType(ExecutionException.class).withCause(failure);
		}
	}

	/**
	 * Threads of which some cannot be started.
	 */
	private static final class ScarceThreads extends ThreadPoolExecutor {

		private final AtomicInteger missing = new AtomicInteger();

		ScarceThreads(int size) {
			super(size, size, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
		}

		@Override
		public void execute(Runnable command) {
			if (this.missing.getAndUpdate((missing) -> Math.max(0, missing - 1)) > 0) {
				throw new InternalError("unable to create native thread");
			}
			super.execute(command);
		}

	}

	/**
	 * Table whose transactions fail with some states before they succeed.
	 */
	private static final class FailingTable extends StateTable {

		private final Queue<String> failures = new ConcurrentLinkedQueue<>();

		FailingTable() {
			super(new RowNames("test"), 1, PATIENCE, SchemaInitialization.NEVER, () -> 0);
		}

		@Override
		void decide(Connection connection, List<StoreCall<?>> calls) throws SQLException {
			String state = this.failures.poll();
			if (state != null) {
				throw new SQLException("failed", state);
			}
			LockedRows rows = new LockedRows(Map.of(), new RowNames("test"), 1, 0);
			calls.forEach((call) -> call.decide(rows));
		}

	}

}
