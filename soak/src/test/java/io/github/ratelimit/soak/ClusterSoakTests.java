package io.github.ratelimit.soak;

import org.junit.jupiter.api.Test;

/**
 * Soak of instances that share a cluster.
 */
class ClusterSoakTests {

	@Test
	void noCallGetsWhatTheFaultsDoNotExplain() throws InterruptedException {
		ShortSoak.run(ClusterServers::new);
	}

}
