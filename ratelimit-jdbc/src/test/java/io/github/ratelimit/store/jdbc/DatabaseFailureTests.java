package io.github.ratelimit.store.jdbc;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.github.ratelimit.database.process.DatabaseProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.Engines;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RemoteStore;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Databases that are killed, frozen, locked and read-only, and pools without connections.
 */
class DatabaseFailureTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	private static final RuleCounts RULE = RuleCounts
		.of(RateLimitRule.named("reply").limit(3, Duration.ofHours(1)).algorithm(Algorithm.SLIDING_LOG).build());

	private static final AtomicInteger users = new AtomicInteger();

	private final List<AutoCloseable> closed = new ArrayList<>();

	private DatabaseProcess server;

	private String url;

	private HikariDataSource pool;

	private JdbcRateLimitStore store;

	@AfterEach
	void close() throws Exception {
		for (AutoCloseable each : this.closed) {
			each.close();
		}
	}

	private void start(TestDatabase database) {
		database.assumeInstalled();
		this.server = (database == TestDatabase.H2) ? null : database.server();
		this.url = database.newUrl();
		this.pool = TestDatabase.pool(this.url, 4);
		this.store = new JdbcRateLimitStore(this.pool, "test", TIMEOUT, 3, SchemaInitialization.ALWAYS);
		this.store.connect();
		this.closed.addAll(List.of(this.store, this.pool));
		awaitAdmitted("warm");
	}

	private static JdbcRateLimitStore store(HikariDataSource pool) {
		return new JdbcRateLimitStore(pool, "test", TIMEOUT, 3, SchemaInitialization.NEVER);
	}

	private boolean isAdmitted(String key) {
		return this.store.acquire(new Demand(RULE, key, 1)).isAdmitted();
	}

	private StoreException failure(String key) {
		long began = System.nanoTime();
		try {
			isAdmitted(key);
			throw new AssertionError("The call was decided");
		}
		catch (StoreException ex) {
			assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(TIMEOUT.multipliedBy(3));
			return ex;
		}
	}

	private void awaitAdmitted(String key) {
		await().atMost(Duration.ofSeconds(30))
			.ignoreExceptionsInstanceOf(StoreException.class)
			.until(() -> isAdmitted(key));
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "H2")
	void countsOutliveAKilledServer(TestDatabase kind) {
		start(kind);
		assertThat(isAdmitted("ann")).isTrue();
		assertThat(isAdmitted("ann")).isTrue();
		this.server.kill();
		assertThat(failure("ann").isOutage()).isTrue();
		this.server.start();
		awaitAdmitted("ann");
		assertThat(isAdmitted("ann")).isFalse();
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "H2")
	void callsOfAFrozenServerFailInTimeAndTakeNothing(TestDatabase kind) {
		start(kind);
		assertThat(isAdmitted("ann")).isTrue();
		this.server.freeze();
		for (int i = 0; i < 5; i++) {
			StoreException failure = failure("ann");
			assertThat(failure.isOutage()).isTrue();
			assertThat(failure.reason()).isIn("timeout", "connection", "pool");
		}
		this.server.resume();
		awaitAdmitted("bob");
		await().atMost(Duration.ofSeconds(10))
			.ignoreExceptionsInstanceOf(StoreException.class)
			.untilAsserted(
					() -> assertThat(this.store.peek(new Demand(RULE, "ann", 1)).outcome(0).remaining()).isEqualTo(2));
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "H2")
	void readingChangesNoticesAFrozenServer(TestDatabase kind) {
		start(kind);
		List<String> outcomes = new ArrayList<>();
		this.store.follow(new RemoteStore.Events() {

			@Override
			public void calledItself(Object domain, StoreException failure) {
				outcomes.add((failure != null) ? "" + failure.isOutage() : "answered");
			}

		});
		OverrideStore changes = this.store.overrides();
		changes.read(OverrideStore.RULES);
		this.server.freeze();
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> changes.read(OverrideStore.RULES));
		this.server.resume();
		assertThat(outcomes).containsExactly("answered", "true");
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "H2")
	void callsFailInTimeIfThePoolHasNoConnection(TestDatabase kind) throws SQLException {
		start(kind);
		List<Connection> taken = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			taken.add(this.pool.getConnection());
		}
		StoreException failure = failure("ann");
		assertThat(failure.reason()).isEqualTo("pool");
		assertThat(failure).hasMessageStartingWith("The pool had no connection within 1000 ms");
		assertThat(failure.remedy()).as("a database that is down takes all connections, too").isNull();
		for (Connection each : taken) {
			each.close();
		}
		awaitAdmitted("ann");
		assertThat(this.store.peek(new Demand(RULE, "ann", 1)).outcome(0).remaining()).isEqualTo(2);
	}

	@ParameterizedTest
	@EnumSource
	void refundsThatTimeOutAreMadeLaterAndChargesAreNot(TestDatabase kind) throws SQLException {
		start(kind);
		Demand call = new Demand(RULE, "ann", 1);
		StoreAnswer taken = this.store.acquire(call);
		List<Connection> connections = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			connections.add(this.pool.getConnection());
		}
		Correction charge = Correction.charge(RULE, call.key(), List.of(2L), 0);
		assertThat(this.store.correct(List.of(charge))).failsWithin(TIMEOUT.multipliedBy(3));
		assertThat(this.store.correct(taken.refunds())).failsWithin(TIMEOUT.multipliedBy(3));
		for (Connection each : connections) {
			each.close();
		}
		await().ignoreExceptionsInstanceOf(StoreException.class)
			.untilAsserted(() -> assertThat(this.store.peek(call).outcome(0).remaining()).isEqualTo(3));
		assertThat(this.store.correct(List.of(charge))).succeedsWithin(TIMEOUT);
		assertThat(this.store.peek(call).outcome(0).remaining()).isOne();
	}

	@ParameterizedTest
	@EnumSource
	void refundsOfSlotsThatTimeOutAreMadeLater(TestDatabase kind) throws SQLException {
		start(kind);
		RuleCounts rule = RuleCounts.of(RateLimitRule.named("export")
			.limit(Limit.builder()
				.name("rate")
				.max(3)
				.period(Duration.ofHours(1))
				.algorithm(Algorithm.SLIDING_LOG)
				.build())
			.limit(Limit.ofConcurrency(3).withName("running"))
			.build());
		Demand call = new Demand(rule, "ann", 1);
		StoreAnswer taken = this.store.acquire(call);
		List<Connection> connections = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			connections.add(this.pool.getConnection());
		}
		assertThat(this.store.correct(taken.refunds())).failsWithin(TIMEOUT.multipliedBy(3));
		for (Connection each : connections) {
			each.close();
		}
		await().ignoreExceptionsInstanceOf(StoreException.class).untilAsserted(() -> {
			RuleAnswer left = this.store.peek(call);
			assertThat(List.of(left.outcome(0).remaining(), left.outcome(1).remaining())).containsExactly(3L, 3L);
		});
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "H2")
	void rowThatIsLockedStopsNoOtherKey(TestDatabase kind) throws SQLException {
		start(kind);
		assertThat(isAdmitted("ann")).isTrue();
		try (Connection other = this.pool.getConnection()) {
			lock(other, List.of("ann"));
			assertThat(failure("ann").reason()).isEqualTo("timeout");
			// a busy machine may give up before the database does
			await().until(() -> !failure("ann").isOutage());
			assertThat(isAdmitted("bob")).isTrue();
			assertThat(isAdmitted("cleo")).isTrue();
			other.rollback();
		}
		awaitAdmitted("ann");
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "H2")
	void callsOfALockedRowAreNoOutageWhileOthersAreAnswered(TestDatabase kind) throws SQLException {
		start(kind);
		assertThat(isAdmitted("ann")).isTrue();
		try (Connection other = this.pool.getConnection()) {
			lock(other, List.of("ann"));
			// a busy machine may give up before the database does
			await().atMost(Duration.ofSeconds(30)).until(() -> {
				List<CompletableFuture<Boolean>> outages = Stream.generate(() -> outage("ann")).limit(20).toList();
				while (!outages.stream().allMatch(CompletableFuture::isDone)) {
					outage("bob").join();
				}
				return outages.stream().noneMatch(CompletableFuture::join);
			});
			other.rollback();
		}
	}

	/** Return whether a call fails by an outage. */
	private CompletableFuture<Boolean> outage(String key) {
		return this.store.acquireAsync(new Demand(RULE, key, 1))
			.handle((answer, failure) -> failure != null && ((StoreException) failure.getCause()).isOutage())
			.toCompletableFuture();
	}

	private static void lock(Connection connection, List<String> keys) throws SQLException {
		connection.setAutoCommit(false);
		try (PreparedStatement lock = connection
			.prepareStatement("select state from ratelimit_state where rule_name = ? and rule_key = ? for update")) {
			lock.setBytes(1, "test:reply".getBytes(StandardCharsets.UTF_8));
			for (String key : keys) {
				lock.setBytes(2, key.getBytes(StandardCharsets.UTF_8));
				lock.executeQuery();
			}
		}
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "H2")
	void refundOfALockedRowIsMadeOnceItIsUnlocked(TestDatabase kind) throws SQLException {
		start(kind);
		Demand call = new Demand(RULE, "ann", 1);
		StoreAnswer taken = this.store.acquire(call);
		try (Connection other = this.pool.getConnection(); Statement lock = other.createStatement()) {
			other.setAutoCommit(false);
			lock.executeQuery("select state from ratelimit_state for update");
			assertThat(this.store.correct(taken.refunds())).failsWithin(TIMEOUT.multipliedBy(3));
			other.rollback();
		}
		await().ignoreExceptionsInstanceOf(StoreException.class)
			.untilAsserted(() -> assertThat(this.store.peek(call).outcome(0).remaining()).isEqualTo(3));
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "H2")
	void manyLockedRowsAreAnOutageUntilTheyAreUnlocked(TestDatabase kind) throws SQLException {
		start(kind);
		List<String> keys = List.of("ann", "bob", "cleo", "dan", "eve");
		keys.forEach(this::isAdmitted);
		assertThat(isAdmitted("free")).isTrue();
		Demand last = new Demand(RULE, "free", 1);
		try (Connection other = this.pool.getConnection()) {
			lock(other, keys);
			List<StoreException> failures = keys.stream().map(this::failure).toList();
			assertThat(failures).allMatch((failure) -> failure.reason().equals("timeout"));
			assertThat(failures.get(4).isOutage()).isTrue();
			assertThat(isAdmitted("free")).isTrue();
			assertThat(this.store.probe(last)).failsWithin(TIMEOUT.multipliedBy(3));
			other.rollback();
		}
		assertThat(this.store.probe(last)).succeedsWithin(TIMEOUT.multipliedBy(3));
		awaitAdmitted("eve");
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "H2")
	void boundOfTheWaitForARowStaysOnNoConnection(TestDatabase kind) throws SQLException {
		start(kind);
		assertThat(isAdmitted("ann")).isTrue();
		List<Connection> all = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			all.add(this.pool.getConnection());
		}
		for (Connection each : all) {
			assertThat(read(each, (kind == TestDatabase.POSTGRESQL) ? "show lock_timeout"
					: "select cast(@@session.max_statement_time as int)"))
				.containsExactly("0");
			each.close();
		}
	}

	private static List<String> read(Connection connection, String query) throws SQLException {
		List<String> values = new ArrayList<>();
		try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(query)) {
			while (rows.next()) {
				values.add(rows.getString(1));
			}
		}
		return values;
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "H2")
	void poolOfBrokenConnectionsFailsNoCall(TestDatabase kind) throws SQLException {
		start(kind);
		try (Connection other = DriverManager.getConnection(this.url); Statement statement = other.createStatement()) {
			for (String connection : read(other, (kind == TestDatabase.POSTGRESQL)
					? "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
					: "select id from information_schema.processlist where db = database() and id <> connection_id()")) {
				statement.execute((kind == TestDatabase.POSTGRESQL) ? "select pg_terminate_backend(" + connection + ")"
						: "kill " + connection);
			}
		}
		assertThat(isAdmitted("ann")).isTrue();
		assertThat(this.store.peek(new Demand(RULE, "ann", 1)).outcome(0).remaining()).isEqualTo(2);
	}

	/**
	 * The data source has a connection of the caller, as that of a transaction of Spring.
	 */
	@ParameterizedTest
	@EnumSource
	void decisionsArePartOfNoTransactionOfTheCaller(TestDatabase kind) throws SQLException {
		start(kind);
		TestDatabase.execute(this.pool, "create table orders (id int)");
		Thread caller = Thread.currentThread();
		try (Connection ofCaller = this.pool.getConnection(); Statement statement = ofCaller.createStatement()) {
			DataSource bound = (DataSource) Proxy.newProxyInstance(getClass().getClassLoader(),
					new Class<?>[] { DataSource.class }, (proxy, method, arguments) -> Thread.currentThread() == caller
							? ofCaller : this.pool.getConnection());
			ofCaller.setAutoCommit(false);
			statement.execute("insert into orders values (1)");
			try (JdbcRateLimitStore within = new JdbcRateLimitStore(bound, "test", TIMEOUT, 3,
					SchemaInitialization.NEVER)) {
				assertThat(within.acquire(new Demand(RULE, "ann", 1)).isAdmitted()).isTrue();
			}
			ofCaller.rollback();
			assertThat(read(ofCaller, "select id from orders")).isEmpty();
		}
		assertThat(this.store.peek(new Demand(RULE, "ann", 1)).outcome(0).remaining()).isEqualTo(2);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "H2")
	void missingTableIsNamed(TestDatabase kind) {
		start(kind);
		HikariDataSource empty = TestDatabase.pool(kind.newUrl(), 2);
		JdbcRateLimitStore without = store(empty);
		this.closed.addAll(0, List.of(without, empty));
		assertThatExceptionOfType(StoreException.class).isThrownBy(without::connect).satisfies((failure) -> {
			assertThat(failure.reason()).isEqualTo("schema");
			assertThat(failure.remedy()).contains("ratelimit.jdbc.initialize-schema=always");
		});
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "H2")
	void userWhoMayNotCreateTheTableUsesThatOfAMigration(TestDatabase kind) {
		start(kind);
		String user = createUser(kind, this.pool);
		TestDatabase.execute(this.pool, "grant select, insert, update, delete on ratelimit_state to " + user);
		JdbcRateLimitStore limited = storeOf(user, this.url);
		limited.connect();
		assertThat(limited.acquire(new Demand(RULE, "ann", 1)).isAdmitted()).isTrue();
		assertThat(this.store.peek(new Demand(RULE, "ann", 1)).outcome(0).remaining()).isEqualTo(2);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "H2")
	void userWhoMayNotCreateTheMissingTableIsTold(TestDatabase kind) {
		start(kind);
		String empty = kind.newUrl();
		HikariDataSource owner = TestDatabase.pool(empty, 1);
		this.closed.add(0, owner);
		String user = createUser(kind, owner);
		TestDatabase.execute(owner, "create table other (id int)");
		TestDatabase.execute(owner, "grant select on other to " + user);
		JdbcRateLimitStore limited = storeOf(user, empty);
		assertThatExceptionOfType(StoreException.class).isThrownBy(limited::connect).satisfies((failure) -> {
			assertThat(failure.reason()).isEqualTo("permission");
			assertThat(failure.remedy()).endsWith("and create this table unless a migration does.");
		});
	}

	/**
	 * The user is no administrator, because those of MariaDB may write nevertheless.
	 */
	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "H2")
	void fallbackCountsWhileTheDatabaseOnlyReadsAndIsChargedWhenItWrites(TestDatabase kind) {
		start(kind);
		String user = createUser(kind, this.pool);
		TestDatabase.execute(this.pool, "grant select, insert, update, delete on ratelimit_state to " + user);
		RateLimitEngine engine = Engines.over(storeOf(user, this.url));
		this.closed.add(0, engine);
		List<String> outages = new CopyOnWriteArrayList<>();
		engine.listen(List.of(new RateLimitListener() {

			@Override
			public void storeUnavailable(String reason) {
				outages.add(reason);
			}

		}));
		engine.start();
		Demand call = new Demand(RULE, "ann", 1);
		assertThat(engine.acquire(call).decision().origin()).isEqualTo(Decision.Origin.JDBC);
		this.closed.add(0, () -> onlyReads(kind, false));
		onlyReads(kind, true);
		await().until(() -> {
			engine.acquire(new Demand(RULE, "other" + users.incrementAndGet(), 1));
			return !outages.isEmpty();
		});
		assertThat(engine.acquire(call).decision()).extracting(Decision::allowed, Decision::origin)
			.containsExactly(true, Decision.Origin.FALLBACK);
		assertThat(outages).containsExactly("readonly");
		onlyReads(kind, false);
		await().until(() -> engine.keys().peek(call).origin() == Decision.Origin.JDBC);
		assertThat(this.store.peek(call).outcome(0).remaining()).isOne();
		assertThat(engine.acquire(call).decision()).extracting(Decision::allowed, Decision::origin)
			.containsExactly(true, Decision.Origin.JDBC);
		assertThat(isAdmitted("ann")).isFalse();
	}

	private void onlyReads(TestDatabase kind, boolean only) {
		if (kind == TestDatabase.POSTGRESQL) {
			TestDatabase.execute(this.pool, "alter system set default_transaction_read_only = " + only);
			TestDatabase.execute(this.pool, "select pg_reload_conf()");
		}
		else {
			TestDatabase.execute(this.pool, "set global read_only = " + only);
		}
	}

	private static String createUser(TestDatabase kind, HikariDataSource pool) {
		String user = "limited" + users.incrementAndGet();
		TestDatabase.execute(pool, "create "
				+ ((kind == TestDatabase.POSTGRESQL) ? "role " + user + " login" : "user " + user + "@localhost"));
		return (kind == TestDatabase.POSTGRESQL) ? user : user + "@localhost";
	}

	private JdbcRateLimitStore storeOf(String user, String url) {
		String name = user.replace("@localhost", "");
		HikariDataSource pool = TestDatabase.pool(url.replaceFirst("user=\\w+", "user=" + name), 2);
		JdbcRateLimitStore limited = new JdbcRateLimitStore(pool, "test", TIMEOUT, 1, SchemaInitialization.ALWAYS);
		this.closed.addAll(0, List.of(limited, pool));
		return limited;
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "H2")
	void transactionsThatOthersRollBackAreRepeated(TestDatabase kind) {
		start(kind);
		String isolated = this.url
				+ ((kind == TestDatabase.POSTGRESQL) ? "&options=-c%20default_transaction_isolation=serializable"
						: "&sessionVariables=tx_isolation='SERIALIZABLE'");
		List<JdbcRateLimitStore> stores = new ArrayList<>();
		for (int i = 0; i < 2; i++) {
			HikariDataSource each = TestDatabase.pool(isolated, 2);
			stores.add(new JdbcRateLimitStore(each, "test", Duration.ofSeconds(30), 3, SchemaInitialization.NEVER));
			this.closed.addAll(0, List.of(stores.get(i), each));
		}
		RuleCounts many = RuleCounts
			.of(RateLimitRule.named("many").limit(50, Duration.ofHours(1)).algorithm(Algorithm.SLIDING_LOG).build());
		List<CompletableFuture<Long>> admitted = Stream.of(0, 1, 0, 1)
			.map((i) -> CompletableFuture.supplyAsync(() -> IntStream.range(0, 20)
				.filter((call) -> stores.get(i).acquire(new Demand(many, "hot", 1)).isAdmitted())
				.count(), (work) -> new Thread(work).start()))
			.toList();
		assertThat(admitted.stream().mapToLong(CompletableFuture::join).sum()).isEqualTo(50);
		assertThat(stores.get(0).peek(new Demand(many, "hot", 1)).outcome(0).remaining()).isZero();
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "H2")
	void instancesMayCreateTheTableAtTheSameTime(TestDatabase kind) throws Exception {
		start(kind);
		for (int i = 0; i < 3; i++) {
			HikariDataSource empty = TestDatabase.pool(kind.newUrl(), 8);
			List<JdbcRateLimitStore> instances = Stream.generate(
					() -> new JdbcRateLimitStore(empty, "test", Duration.ofSeconds(20), 1, SchemaInitialization.ALWAYS))
				.limit(8)
				.toList();
			List<CompletableFuture<Void>> connected = instances.stream()
				.map((each) -> CompletableFuture.runAsync(each::connect, (work) -> new Thread(work).start()))
				.toList();
			connected.forEach(CompletableFuture::join);
			instances.forEach(JdbcRateLimitStore::close);
			empty.close();
		}
	}

}
