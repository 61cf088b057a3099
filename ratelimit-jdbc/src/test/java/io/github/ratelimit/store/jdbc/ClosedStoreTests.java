package io.github.ratelimit.store.jdbc;

import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoreAnswer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A closed store leaves nothing behind in this process.
 */
class ClosedStoreTests {

	@Test
	void nothingRefersToAClosedStore() {
		List<WeakReference<String>> prefixes = IntStream.range(0, 3)
			.mapToObj(ClosedStoreTests::prefixOfClosed)
			.toList();
		await().until(() -> {
			System.gc();
			return prefixes.stream().allMatch((prefix) -> prefix.refersTo(null));
		});
	}

	@Test
	void refundThatIsRepeatedEndsWithItsStore() throws Exception {
		try (HikariDataSource pool = TestDatabase.H2.dataSource(); Connection other = pool.getConnection()) {
			WeakReference<String> prefix = prefixOfClosedWithRefund(pool, other);
			await().until(() -> {
				System.gc();
				return prefix.refersTo(null);
			});
		}
	}

	private static WeakReference<String> prefixOfClosedWithRefund(HikariDataSource pool, Connection other)
			throws SQLException {
		String prefix = "prefix-" + pool.hashCode();
		try (JdbcRateLimitStore store = new JdbcRateLimitStore(pool, prefix, Duration.ofMillis(200), 2,
				SchemaInitialization.EMBEDDED); Statement lock = other.createStatement()) {
			store.connect();
			StoreAnswer taken = store.acquire(new Demand(
					RateLimitRule.named("reply").limit(3, Duration.ofHours(1)).algorithm(Algorithm.SLIDING_LOG).build(),
					"ann", 1));
			other.setAutoCommit(false);
			lock.executeQuery("select state from ratelimit_state for update");
			assertThat(store.correct(taken.refunds())).failsWithin(Duration.ofSeconds(10));
		}
		return new WeakReference<>(prefix);
	}

	private static WeakReference<String> prefixOfClosed(int number) {
		String prefix = "prefix-" + number;
		try (HikariDataSource pool = TestDatabase.H2.dataSource();
				JdbcRateLimitStore store = new JdbcRateLimitStore(pool, prefix, Duration.ofSeconds(20), 2,
						SchemaInitialization.EMBEDDED)) {
			store.connect();
		}
		return new WeakReference<>(prefix);
	}

}
