package io.github.ratelimit.store.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.store.StoreException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Threads of the queue, which calls share with other work, and its end.
 */
class CallQueueTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final RowKey KEY = new RowKey("rule", "key");

	private final HikariDataSource pool = TestDatabase.H2.dataSource();

	@AfterEach
	void close() {
		this.pool.close();
	}

	private CallQueue queue(int connections) {
		return new CallQueue(this.pool,
				new StateTable(new RowNames("test"), 1, PATIENCE, SchemaInitialization.ALWAYS, null),
				new JdbcFailures(PATIENCE), connections);
	}

	@Test
	void otherWorkIsDoneWhileCallsNeverStopWaiting() {
		AtomicBoolean ended = new AtomicBoolean();
		try (CallQueue queue = queue(1)) {
			callUntil(ended, queue);
			assertThat(queue.run((connection) -> connection.isValid(1))).succeedsWithin(PATIENCE).isEqualTo(true);
		}
		finally {
			ended.set(true);
		}
	}

	/**
	 * Make calls, each of which is waiting before the one before it is decided.
	 */
	private static void callUntil(AtomicBoolean ended, CallQueue queue) {
		queue.call(List.of(KEY), (rows) -> {
			if (!ended.get()) {
				callUntil(ended, queue);
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
			.mapToObj((i) -> queue.call(List.of(KEY, new RowKey("rule", "key-" + i)), (rows) -> i))
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
		assertThat(queue.call(List.of(KEY), (rows) -> true)).failsWithin(Duration.ZERO)
			.withThrowableOfType(ExecutionException.class)
			.havingCause()
			.isInstanceOfSatisfying(StoreException.class,
					(failure) -> assertThat(failure.reason()).isEqualTo("stopped"));
	}

}
