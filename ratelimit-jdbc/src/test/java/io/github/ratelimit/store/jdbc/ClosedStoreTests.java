package io.github.ratelimit.store.jdbc;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Test;

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
