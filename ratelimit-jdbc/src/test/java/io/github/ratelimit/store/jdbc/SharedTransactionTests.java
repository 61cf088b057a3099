package io.github.ratelimit.store.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreEvents;
import io.github.ratelimit.store.StoreException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Calls that are decided in one transaction, and callers that give up.
 */
class SharedTransactionTests {

	private static final RuleCounts RULE = RuleCounts
		.of(RateLimitRule.named("reply").limit(10, Duration.ofHours(1)).algorithm(Algorithm.TOKEN_BUCKET).build());

	private static final RuleCounts OTHER = RuleCounts
		.of(RateLimitRule.named("post").limit(10, Duration.ofHours(1)).algorithm(Algorithm.TOKEN_BUCKET).build());

	private static final RuleCounts SLOTS = RuleCounts
		.of(RateLimitRule.named("export").limit(Limit.ofConcurrency(10)).build());

	private final HikariDataSource pool = TestDatabase.H2.dataSource();

	private final AtomicInteger transactions = new AtomicInteger();

	private volatile CountDownLatch gate = new CountDownLatch(0);

	private final AtomicInteger breaking = new AtomicInteger();

	private final DataSource gated = (DataSource) Proxy.newProxyInstance(getClass().getClassLoader(),
			new Class<?>[] { DataSource.class }, (proxy, method, arguments) -> {
				this.transactions.incrementAndGet();
				this.gate.await();
				return connection(this.pool.getConnection());
			});

	private final List<AutoCloseable> stores = new ArrayList<>();

	@AfterEach
	void close() throws Exception {
		this.gate.countDown();
		for (AutoCloseable each : this.stores) {
			each.close();
		}
		this.pool.close();
	}

	/**
	 * Return a connection that breaks during its commit if it is to.
	 */
	private Connection connection(Connection connection) {
		return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
				(proxy, method, arguments) -> {
					try {
						Object result = method.invoke(connection, arguments);
						if (method.getName().equals("commit")
								&& this.breaking.getAndUpdate((n) -> Math.max(0, n - 1)) > 0) {
							throw new SQLException("The server has gone away", "08S01");
						}
						return result;
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

	private JdbcRateLimitStore store(Duration timeout, int connections) {
		JdbcRateLimitStore store = new JdbcRateLimitStore(this.gated, "test", timeout, connections,
				SchemaInitialization.ALWAYS, null);
		this.stores.add(store);
		return store;
	}

	private static List<CompletionStage<StoreAnswer>> call(JdbcRateLimitStore store, String key, int times) {
		return call(store, RULE, key, times);
	}

	private static List<CompletionStage<StoreAnswer>> call(JdbcRateLimitStore store, RuleCounts rule, String key,
			int times) {
		return IntStream.range(0, times).mapToObj((i) -> store.acquireAsync(new Demand(rule, key, 1))).toList();
	}

	private static long admitted(List<CompletionStage<StoreAnswer>> answers) {
		return answers.stream().filter((answer) -> answer.toCompletableFuture().join().isAdmitted()).count();
	}

	@Test
	void callsOfOneKeyJoinOneTransaction() {
		JdbcRateLimitStore store = store(Duration.ofSeconds(20), 4);
		this.gate = new CountDownLatch(1);
		List<CompletionStage<StoreAnswer>> first = call(store, "ann", 1);
		await().until(() -> this.transactions.get() == 1);
		List<CompletionStage<StoreAnswer>> others = call(store, "ann", 30);
		this.gate.countDown();
		assertThat(admitted(first) + admitted(others)).isEqualTo(10);
		assertThat(this.transactions).hasValue(2);
	}

	@Test
	void slotsOfOneKeyAreExactInOneTransaction() {
		JdbcRateLimitStore store = store(Duration.ofSeconds(20), 4);
		this.gate = new CountDownLatch(1);
		List<CompletionStage<StoreAnswer>> first = call(store, SLOTS, "ann", 1);
		await().until(() -> this.transactions.get() == 1);
		List<CompletionStage<StoreAnswer>> others = call(store, SLOTS, "ann", 30);
		this.gate.countDown();
		assertThat(admitted(first) + admitted(others)).isEqualTo(10);
		assertThat(this.transactions).hasValue(2);
	}

	@Test
	void callOfSeveralKeysIsNotOvertaken() {
		JdbcRateLimitStore store = store(Duration.ofSeconds(20), 2);
		this.gate = new CountDownLatch(1);
		List<CompletionStage<StoreAnswer>> first = call(store, "ann", 1);
		await().until(() -> this.transactions.get() == 1);
		CompletionStage<StoreAnswer> both = store
			.acquireAsync(Demands.of(new Demand(RULE, "ann", 1), new Demand(OTHER, "bob", 10)));
		CompletionStage<StoreAnswer> later = store.acquireAsync(new Demand(OTHER, "bob", 1));
		this.gate.countDown();
		assertThat(admitted(first)).isEqualTo(1);
		assertThat(admitted(List.of(both))).isEqualTo(1);
		assertThat(admitted(List.of(later))).isZero();
	}

	@Test
	void callThatWasGivenUpTakesNothing() {
		JdbcRateLimitStore store = store(Duration.ofMillis(50), 1);
		this.gate = new CountDownLatch(1);
		call(store, "bob", 1);
		await().until(() -> this.transactions.get() == 1);
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store.acquire(new Demand(RULE, "ann", 1)))
			.withMessage("The pool had no connection within 50 ms: the database cannot be reached, or others hold all "
					+ "connections");
		this.gate.countDown();
		// calls of the only connection are answered in order
		await().ignoreExceptionsInstanceOf(StoreException.class)
			.until(() -> store.acquire(new Demand(RULE, "eve", 1)).isAdmitted());
		assertThat(store(Duration.ofSeconds(20), 1).peek(new Demand(RULE, "ann", 1)).outcome(0).remaining())
			.isEqualTo(10);
	}

	@Test
	void interruptedCallerTakesNothing() {
		JdbcRateLimitStore store = store(Duration.ofSeconds(20), 1);
		Thread.currentThread().interrupt();
		try {
			assertThatExceptionOfType(RateLimitInterruptedException.class)
				.isThrownBy(() -> store.acquire(new Demand(RULE, "ann", 1)));
		}
		finally {
			assertThat(Thread.interrupted()).isTrue();
		}
		assertThat(this.transactions).hasValue(0);
	}

	@Test
	void callWhoseCommitIsUnknownFailsAloneAndIsNotRepeated() {
		JdbcRateLimitStore store = store(Duration.ofSeconds(20), 1);
		admitted(call(store, "ann", 1));
		this.gate = new CountDownLatch(1);
		CompletionStage<StoreAnswer> broken = call(store, "ann", 1).get(0);
		await().until(() -> this.transactions.get() == 2);
		List<CompletionStage<StoreAnswer>> others = call(store, "ann", 2);
		this.breaking.set(1);
		this.gate.countDown();
		assertThat(broken).failsWithin(Duration.ofSeconds(10))
			.withThrowableThat()
			.havingCause()
			.isInstanceOfSatisfying(StoreException.class, (failure) -> {
				assertThat(failure.reason()).isEqualTo("connection");
				assertThat(failure.isOutage()).isFalse();
			});
		assertThat(admitted(others)).isEqualTo(2);
		assertThat(store.peek(new Demand(RULE, "ann", 1)).outcome(0).remaining()).as("the commit took place")
			.isEqualTo(6);
	}

	@Test
	void answerThatComesTooLateIsRefunded() {
		List<Demand> refunded = new ArrayList<>();
		JdbcRateLimitStore store = store(Duration.ofSeconds(20), 1);
		store.follow(StoreEvents.ofRefunds(refunded::add));
		Demand demand = new Demand(RULE, "ann", 4);
		StoreAnswer answer = store.acquire(demand);
		store.refundUnused(answer);
		await().until(() -> refunded.size() == 1);
		assertThat(store.peek(new Demand(RULE, "ann", 1)).outcome(0).remaining()).isEqualTo(10);
	}

	@Test
	void deniedCallWhoseAnswerComesTooLateIsRefundedToItsCandidates() {
		RuleCounts rule = RuleCounts.of(RateLimitRule.named("trial")
			.limit(1, Duration.ofHours(1))
			.algorithm(Algorithm.TOKEN_BUCKET)
			.candidate("wide", Limit.of(10, Duration.ofHours(1)))
			.build());
		AtomicInteger refunded = new AtomicInteger();
		JdbcRateLimitStore store = store(Duration.ofSeconds(20), 1);
		store.follow(StoreEvents.ofRefunds((demand) -> refunded.incrementAndGet()));
		store.acquire(new Demand(rule, "ann", 1));
		StoreAnswer denied = store.acquire(new Demand(rule, "ann", 1));
		assertThat(denied.isAdmitted()).isFalse();
		store.refundUnused(denied);
		await().until(() -> refunded.get() == 1);
		assertThat(store.acquire(new Demand(rule, "ann", 1)).tried()).singleElement()
			.satisfies((wide) -> assertThat(wide.outcome(0).remaining()).isEqualTo(8));
	}

}
