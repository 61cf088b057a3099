package io.github.ratelimit.store.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Statements of transactions.
 */
class StateTableTests {

	private final RowNames names = new RowNames("test");

	private final StateTable table = new StateTable(this.names, 1, Duration.ofSeconds(2), SchemaInitialization.ALWAYS,
			null);

	private final List<Connection> opened = new ArrayList<>();

	/** Statements that were prepared, also those that failed. */
	private final List<String> prepared = new ArrayList<>();

	/** State with which the next statement fails, empty for none. */
	private String failure = "";

	private String url;

	@AfterEach
	void close() throws SQLException {
		for (Connection each : this.opened) {
			each.close();
		}
	}

	private Connection start(TestDatabase database) throws SQLException {
		database.assumeInstalled();
		this.url = database.newUrl();
		return watched(open());
	}

	private Connection open() throws SQLException {
		Connection connection = DriverManager.getConnection(this.url);
		this.opened.add(connection);
		return connection;
	}

	private Connection watched(Connection connection) {
		return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
				(proxy, method, arguments) -> {
					if (method.getName().equals("prepareStatement")) {
						this.prepared.add((String) arguments[0]);
						if (!this.failure.isEmpty()) {
							String state = this.failure;
							this.failure = "";
							throw new SQLException("rolled back", state);
						}
					}
					try {
						return method.invoke(connection, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

	private <T> T decide(Connection connection, Function<LockedRows, T> decision, RowKey... keys) throws SQLException {
		StoreCall<T> call = new StoreCall<>(List.of(keys), decision, (late) -> {
		});
		this.table.work(connection, (used) -> {
			this.table.decide(used, List.of(call));
			return true;
		});
		call.answer();
		return call.join();
	}

	private boolean write(Connection connection, int content, RowKey... keys) throws SQLException {
		return decide(connection, (rows) -> {
			for (RowKey key : keys) {
				rows.share(key, new byte[] { (byte) content }, Long.MAX_VALUE);
			}
			return true;
		}, keys);
	}

	private RowKey key(String key) {
		return this.names.shared("row", key);
	}

	private byte[] read(Connection connection, RowKey key) throws SQLException {
		return decide(connection, (rows) -> rows.shared(key, (content) -> content), key);
	}

	/** Add rows that have expired after a second. */
	private RowKey[] writeExpired(Connection connection, int rows) throws SQLException {
		RowKey[] keys = IntStream.range(0, rows).mapToObj((i) -> key("user" + i)).toArray(RowKey[]::new);
		write(connection, 1, keys);
		execute(connection, "update ratelimit_state set expires_at = 1");
		return keys;
	}

	private boolean deleteExpired(Connection connection, int most) throws SQLException {
		return deleteExpired(connection, most, new HashSet<>());
	}

	private boolean deleteExpired(Connection connection, int most, Set<RowKey> locked) throws SQLException {
		return this.table.work(connection,
				(used) -> this.table.deleteExpired(used, TimeUnit.SECONDS.toMicros(1), most, locked));
	}

	private static void execute(Connection connection, String command) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute(command);
		}
	}

	/** Lock a row, or in MySQL the gap in which it would be. */
	private static void lock(Connection connection, RowKey key) throws SQLException {
		connection.setAutoCommit(false);
		try (PreparedStatement lock = connection
			.prepareStatement("select state from ratelimit_state where rule_name = ? and rule_key = ? for update")) {
			int next = 1;
			for (Object each : key.parameters().toList()) {
				lock.setObject(next++, each);
			}
			lock.executeQuery();
		}
	}

	@ParameterizedTest
	@EnumSource
	void rowsOfOneCallAreAddedAndChangedTogether(TestDatabase database) throws SQLException {
		Connection connection = start(database);
		RowKey[] keys = Stream.of("ann", "bob", "cleo").map(this::key).toArray(RowKey[]::new);
		for (int content = 1; content <= 2; content++) {
			write(connection, content, keys);
			for (RowKey key : keys) {
				assertThat(read(connection, key)).containsExactly(content);
			}
		}
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "H2")
	void timeComesWithTheRows(TestDatabase database) throws SQLException {
		Connection connection = start(database);
		write(connection, 1, key("ann"));
		this.prepared.clear();
		read(connection, key("ann"));
		assertThat(this.prepared).hasSize(1);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "H2")
	void waitsOfAConnectionAreBoundedWhileItIsUsed(TestDatabase database) throws SQLException {
		Connection connection = start(database);
		assertThat(this.table.work(connection, Connection::getNetworkTimeout)).isEqualTo(8_000);
	}

	@ParameterizedTest
	@CsvSource({ "40001, true", "23505, false" })
	void transactionThatOthersRolledBackIsToldToReadWhatTheyHaveCommitted(String state, boolean isTold)
			throws SQLException {
		Connection connection = start(TestDatabase.POSTGRESQL);
		write(connection, 1, key("ann"));
		this.prepared.clear();
		this.failure = state;
		read(connection, key("ann"));
		assertThat(this.prepared).hasSize(2);
		assertThat(this.prepared.get(1).contains("isolation level read committed")).isEqualTo(isTold);
	}

	/** MySQL locks the gap in which a missing row would be. */
	@Test
	void rowThatOthersKeepFromBeingAddedIsAwaitedForLessTimeThanCallersWait() throws SQLException {
		Connection connection = start(TestDatabase.MARIADB);
		write(connection, 1, key("ann"));
		Connection other = open();
		lock(other, key("bob"));
		assertThatExceptionOfType(SQLException.class).isThrownBy(() -> write(connection, 1, key("bob")))
			.satisfies((failure) -> assertThat(JdbcFailures.isLocked(failure)).isTrue());
		other.rollback();
		assertThat(write(connection, 1, key("bob"))).isTrue();
	}

	@ParameterizedTest
	@EnumSource
	void manyRowsThatHaveExpiredAreDeletedAndNoOthers(TestDatabase database) throws SQLException {
		Connection connection = start(database);
		RowKey[] keys = writeExpired(connection, 130);
		write(connection, 2, keys[64]);
		assertThat(deleteExpired(connection, 100)).as("more").isTrue();
		assertThat(deleteExpired(connection, 100)).as("more").isFalse();
		for (int i = 0; i < keys.length; i++) {
			assertThat(read(connection, keys[i])).isEqualTo((i == 64) ? new byte[] { 2 } : new byte[0]);
		}
	}

	/** Each of its statements is a transaction, which is flushed. */
	@Test
	void mySqlDeletesManyRowsByOneStatement() throws SQLException {
		Connection connection = start(TestDatabase.MARIADB);
		writeExpired(connection, 130);
		long before = statements(connection);
		deleteExpired(connection, 200);
		assertThat(statements(connection) - before).isLessThan(10);
	}

	private static long statements(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery("show session status like 'Questions'")) {
			rows.next();
			return rows.getLong(2);
		}
	}

	/** The deletion logs its failures. */
	@Test
	void failureOfADeletionContainsNoKey() throws SQLException {
		Connection connection = start(TestDatabase.POSTGRESQL);
		writeExpired(connection, 2);
		execute(connection, "create function refuse() returns trigger language plpgsql"
				+ " as 'begin raise exception ''refused''; end'");
		execute(connection,
				"create trigger refusal before delete on ratelimit_state for each row execute procedure refuse()");
		String userInHexadecimal = "75736572";
		assertThatExceptionOfType(SQLException.class).isThrownBy(() -> deleteExpired(connection, 100))
			.withMessageContaining("refused")
			.satisfies((failure) -> assertThat(failure.toString()).doesNotContain(userInHexadecimal, "user"));
	}

	@Test
	void rowThatOthersHaveLockedKeepsNoOtherFromBeingDeleted() throws SQLException {
		Connection connection = start(TestDatabase.POSTGRESQL);
		RowKey[] keys = writeExpired(connection, 2);
		Connection other = open();
		lock(other, keys[0]);
		assertThat(deleteExpired(connection, 100)).isFalse();
		other.rollback();
		assertThat(read(connection, keys[0])).containsExactly(1);
		assertThat(read(connection, keys[1])).isEmpty();
	}

	@Test
	void deletionInMySqlThatWaitsForALockedRowLeavesTheOthersAloneInTime() throws SQLException {
		Connection connection = start(TestDatabase.MARIADB);
		RowKey[] keys = writeExpired(connection, 2);
		Connection other = open();
		lock(other, keys[1]);
		assertThat(deleteExpired(connection, 100)).isFalse();
		assertThat(write(connection, 2, keys[0])).isTrue();
		other.rollback();
		assertThat(deleteExpired(connection, 100)).isFalse();
		assertThat(read(connection, keys[0])).containsExactly(2);
		assertThat(read(connection, keys[1])).isEmpty();
	}

	/** Others may keep a row locked for hours. A small table would be scanned. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void rowThatStaysLockedInMySqlKeepsNoneBehindItFromBeingDeleted(boolean commits) throws SQLException {
		Connection connection = start(TestDatabase.MARIADB);
		RowKey[] keys = writeExpired(connection, 200);
		write(connection, 1, IntStream.range(0, 1_000).mapToObj((i) -> key("live" + i)).toArray(RowKey[]::new));
		connection.setAutoCommit(commits);
		Connection other = open();
		lock(other, keys[0]);
		Set<RowKey> locked = new HashSet<>();
		for (int i = 0; deleteExpired(connection, 70, locked); i++) {
			assertThat(i).isLessThan(10);
		}
		assertThat(locked).contains(keys[0]).hasSizeLessThanOrEqualTo(64);
		other.rollback();
		for (RowKey key : keys) {
			assertThat(read(connection, key)).hasSize(locked.contains(key) ? 1 : 0);
		}
		assertThat(deleteExpired(connection, 70)).isFalse();
		assertThat(read(connection, keys[0])).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void transactionThatOthersHaveBegunIsNotCommitted(TestDatabase database) throws SQLException {
		Connection connection = start(database);
		write(connection, 1, key("ann"));
		execute(connection, "create table orders (id int)");
		connection.setAutoCommit(false);
		execute(connection, "insert into orders values (1)");
		write(connection, 2, key("ann"));
		try (Statement statement = open().createStatement();
				ResultSet rows = statement.executeQuery("select id from orders")) {
			assertThat(rows.next()).isFalse();
		}
		assertThat(read(connection, key("ann"))).containsExactly(2);
	}

	/** A pool may check a connection by a query. */
	@Test
	void transactionThatOthersHaveBegunDoesNotKeepOursFromReadingWhatIsCommitted() throws SQLException {
		Connection connection = start(TestDatabase.POSTGRESQL);
		write(connection, 1, key("ann"));
		this.failure = "40001";
		read(connection, key("ann"));
		execute(connection, "set session characteristics as transaction isolation level serializable");
		connection.setAutoCommit(false);
		execute(connection, "select 1");
		assertThat(read(connection, key("ann"))).containsExactly(1);
	}

}
