package io.github.ratelimit.soak;

import org.junit.jupiter.api.Test;

/**
 * Soak of instances that share one server.
 */
class SingleServerSoakTests {

	@Test
	void noCallGetsWhatTheFaultsDoNotExplain() throws InterruptedException {
		ShortSoak.run((tags) -> new SingleServer());
	}

}
