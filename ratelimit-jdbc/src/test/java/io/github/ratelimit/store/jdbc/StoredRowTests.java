package io.github.ratelimit.store.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Ban;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.algorithm.StateOutput;
import io.github.ratelimit.store.BannedKey;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Rows of the table: what is stored, refused and deleted.
 */
class StoredRowTests {

	private static final RuleCounts RULE = RuleCounts
		.of(RateLimitRule.named("reply").limit(3, Duration.ofMinutes(1)).algorithm(Algorithm.SLIDING_LOG).build());

	private final HikariDataSource pool = TestDatabase.H2.dataSource();

	private volatile long now = TimeUnit.DAYS.toMicros(20_000);

	private final JdbcRateLimitStore store = new JdbcRateLimitStore(this.pool, "test", Duration.ofSeconds(20), 2,
			SchemaInitialization.EMBEDDED, () -> this.now);

	@AfterEach
	void close() {
		this.store.close();
		this.pool.close();
	}

	private RuleAnswer call(RuleCounts rule, String key) {
		return (RuleAnswer) this.store.acquire(new Demand(rule, key, 1));
	}

	private long rows() {
		try (Connection connection = this.pool.getConnection();
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery("select count(*) from ratelimit_state")) {
			rows.next();
			return rows.getLong(1);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void setState(String key, byte[] state) throws SQLException {
		try (Connection connection = this.pool.getConnection();
				PreparedStatement update = connection
					.prepareStatement("update ratelimit_state set state = ? where rule_key = ?")) {
			update.setBytes(1, state);
			update.setBytes(2, key.getBytes(StandardCharsets.UTF_8));
			update.executeUpdate();
		}
	}

	@Test
	void stateOfAnotherFormIsAnErrorThatNamesTheRow() throws SQLException {
		call(RULE, "nadia");
		int bobs = 3;
		for (byte[] state : new byte[][] { { 4 }, { 2 }, { 2, 0, 0, 2, 8, 't' }, { (byte) 0xFF, (byte) 0xFF } }) {
			setState("nadia", state);
			assertThatExceptionOfType(StoreException.class).isThrownBy(() -> call(RULE, "nadia"))
				.withMessageStartingWith(
						"A row of ratelimit_state with rule_name test:reply, of a key of rule \"reply\", "
								+ "cannot be read: ")
				.withMessageNotContaining("nadia")
				.satisfies((failure) -> assertThat(failure.isOutage()).isFalse());
			assertThat(call(RULE, "bob").isAdmitted()).isEqualTo(bobs-- > 0);
		}
	}

	/**
	 * Of two calls in one transaction, the second one must not find the row as if the
	 * first one had read it.
	 */
	@Test
	void stateThatCannotBeReadFailsAllCallsOfATransaction() {
		RowNames names = new RowNames("test");
		Demand demand = new Demand(RULE, "ann", 1);
		StateOutput state = new StateOutput();
		state.number(1);
		state.number(0);
		state.bytes(new byte[0]);
		state.number(1);
		state.text(RULE.get(0).meaning());
		state.number(this.now + 1);
		state.bytes(new byte[] { 2, 0 });
		LockedRows rows = new LockedRows(Map.of(names.of(demand), state.toBytes()), names, 1, this.now);
		for (int call = 1; call <= 2; call++) {
			assertThatExceptionOfType(StoreException.class).as("call %d", call)
				.isThrownBy(() -> rows.decide(demand, List.of()));
		}
		assertThat(rows.changed(true)).isEmpty();
	}

	@Test
	void candidateWhoseRowCannotBeReadFailsNoCall() {
		RuleCounts tried = RuleCounts.of(RateLimitRule.named("reply")
			.limit(3, Duration.ofMinutes(1))
			.algorithm(Algorithm.SLIDING_LOG)
			.candidate("tight", Limit.of(1, Duration.ofMinutes(1)))
			.build());
		RowNames names = new RowNames("test");
		Demand demand = new Demand(tried, "ann", 1);
		RowKey ofCandidate = names.of(demand.tried().get(0));
		LockedRows rows = new LockedRows(Map.of(ofCandidate, new byte[] { 4 }), names, 1, this.now);
		StoreAnswer answer = rows.decide(demand, demand.tried());
		assertThat(answer.isAdmitted()).isTrue();
		assertThat(answer.tried()).isEmpty();
		assertThat(rows.changed(true)).isEmpty();
		assertThat(rows.changed(false)).extracting(WrittenRow::key).containsExactly(names.of(demand));
	}

	@Test
	void resetForgetsAStateThatCannotBeRead() throws SQLException {
		call(RULE, "ann");
		setState("ann", new byte[] { 4 });
		this.store.reset(RULE, StoredKey.of("ann"));
		assertThat(call(RULE, "ann").outcome(0).remaining()).isEqualTo(2);
	}

	@Test
	void errorOfADriverFailsItsCallsAndNoOthers() {
		AtomicBoolean broken = new AtomicBoolean();
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(TestDatabase.H2.newUrl());
		try (HikariDataSource driver = new HikariDataSource(config) {

			@Override
			public Connection getConnection() throws SQLException {
				if (broken.get()) {
					throw new NoClassDefFoundError("driver");
				}
				return super.getConnection();
			}

		};
				JdbcRateLimitStore single = new JdbcRateLimitStore(driver, "test", Duration.ofSeconds(1), 1,
						SchemaInitialization.EMBEDDED, () -> this.now)) {
			single.acquire(new Demand(RULE, "ann", 1));
			broken.set(true);
			assertThatExceptionOfType(StoreException.class).isThrownBy(() -> single.acquire(new Demand(RULE, "ann", 1)))
				.withMessageContaining("driver");
			broken.set(false);
			await().ignoreExceptionsInstanceOf(StoreException.class)
				.until(() -> single.acquire(new Demand(RULE, "ann", 1)).isAdmitted());
		}
	}

	@Test
	void countOfAnotherFormIsNamedAndKept() throws SQLException {
		call(RULE, "ann");
		StateOutput state = new StateOutput();
		LongStream.of(1, 0, 0, 1).forEach(state::number);
		state.text(RULE.get(0).meaning());
		state.number(this.now + 1_000_000);
		state.bytes(new byte[] { 4 });
		setState("ann", state.toBytes());
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(StoreException.class).isThrownBy(() -> call(RULE, "ann"))
				.withMessageEndingWith("its count \"times\": The state has form 2, but this version reads form 1 only");
		}
	}

	@Test
	void peeksAddNoRows() {
		this.store.peek(new Demand(RULE, "ann", 1));
		this.store.acquire(new Demand(RULE, "ann", 0));
		this.store.preview(new Demand(RULE, "ann", 1));
		assertThat(rows()).isZero();
	}

	@Test
	void rowsAreDeletedWhenNothingCountsAnyMore() {
		call(RULE, "ann");
		long unused = this.now + TimeUnit.MINUTES.toMicros(1);
		this.now += TimeUnit.MINUTES.toMicros(1);
		call(RULE, "bob");
		this.store.deleteExpired(unused - 1);
		assertThat(rows()).isEqualTo(2);
		this.store.deleteExpired(unused + TimeUnit.MINUTES.toMicros(1));
		assertThat(rows()).isEqualTo(1);
		this.store.deleteExpired(unused + TimeUnit.MINUTES.toMicros(2));
		assertThat(rows()).isZero();
	}

	@Test
	void countOfAnEarlierVersionOfTheRuleIsKeptWhileItCounts() {
		RuleCounts changed = RuleCounts
			.of(RateLimitRule.named("reply").limit(3, Duration.ofHours(1)).algorithm(Algorithm.FIXED_WINDOW).build());
		call(RULE, "ann");
		call(changed, "ann");
		call(changed, "ann");
		assertThat(call(RULE, "ann").outcome(0).remaining()).isEqualTo(1);
		assertThat(call(changed, "ann").outcome(0).remaining()).isZero();
	}

	@Test
	void allExpiredRowsAreDeletedSomeHundredAtATime() {
		call(RULE, "ann");
		TestDatabase.execute(this.pool,
				"insert into ratelimit_state (state, banned_until, expires_at, rule_name, rule_key)"
						+ " select x'', 0, 1, x'00', stringtoutf8(cast(x as varchar)) from system_range(1, 1200)");
		this.store.deleteExpired(this.now);
		assertThat(rows()).isEqualTo(1);
	}

	@Test
	void keysThatDifferInCaseSpacesOrCharactersOfNoTextAreApart() {
		for (String key : new String[] { "ann", "Ann", "ann ", "ann\0", "\uD800", "\uDC00", "", "ä", "a\u0308" }) {
			assertThat(call(RULE, key).outcome(0).remaining()).as(key).isEqualTo(2);
		}
	}

	@Test
	void bansAreListedUntilTheyEnd() {
		RuleCounts banning = RuleCounts.of(RateLimitRule.named("login")
			.limit(1, Duration.ofMinutes(1))
			.algorithm(Algorithm.SLIDING_LOG)
			.ban(new Ban(1, Duration.ofMinutes(1), Duration.ofHours(1)))
			.build());
		call(banning, "ann");
		call(banning, "ann");
		this.now += TimeUnit.MINUTES.toMicros(10);
		call(banning, "bob");
		call(banning, "bob");
		assertThat(this.store.bans(banning)).containsExactly(new BannedKey("ann", Duration.ofMinutes(50)),
				new BannedKey("bob", Duration.ofHours(1)));
		this.store.reset(banning, StoredKey.of("ann"));
		assertThat(this.store.bans(banning)).extracting(BannedKey::key).containsExactly("bob");
		this.now += TimeUnit.HOURS.toMicros(1);
		assertThat(this.store.bans(banning)).isEmpty();
	}

}
