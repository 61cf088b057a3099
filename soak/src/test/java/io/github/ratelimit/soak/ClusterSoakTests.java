package io.github.ratelimit.soak;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Soak of instances that share a cluster.
 */
@Tag("in-ci")
class ClusterSoakTests {

	@Test
	void noCallGetsWhatTheFaultsDoNotExplain() throws InterruptedException {
		ShortSoak.run(ServerKind.CLUSTER);
	}

}
