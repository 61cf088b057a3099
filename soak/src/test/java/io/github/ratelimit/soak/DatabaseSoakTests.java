package io.github.ratelimit.soak;

import io.github.ratelimit.database.process.DatabaseProcess;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Soak of instances that share one database.
 */
@Tag("in-ci")
class DatabaseSoakTests {

	@Test
	void noCallGetsWhatTheFaultsDoNotExplain() throws InterruptedException {
		Assumptions.assumeTrue(
				DatabaseProcess.isInstalled(DatabaseProcess.Kind.POSTGRESQL) || System.getenv("CI") != null,
				"PostgreSQL is not installed: see CONTRIBUTING.md");
		ShortSoak.run(ServerKind.DATABASE);
	}

}
