package io.github.ratelimit.soak;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Soak of instances that share one server.
 */
@Tag("in-ci")
class SingleServerSoakTests {

	@Test
	void noCallGetsWhatTheFaultsDoNotExplain() throws InterruptedException {
		ShortSoak.run(ServerKind.SINGLE);
	}

}
