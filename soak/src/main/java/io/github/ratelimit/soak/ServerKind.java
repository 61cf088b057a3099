package io.github.ratelimit.soak;

import java.util.List;
import java.util.function.Supplier;

/**
 * Kind of the servers that the instances of a run share.
 */
enum ServerKind {

	/**
	 * One Redis server.
	 */
	SINGLE {

		@Override
		Servers start(Supplier<String> tags) {
			return new SingleServer();
		}

	},

	/**
	 * A Redis cluster.
	 */
	CLUSTER {

		@Override
		Servers start(Supplier<String> tags) {
			return new ClusterServers(tags);
		}

	},

	/**
	 * A PostgreSQL server. Rules with prefetch need Redis.
	 */
	DATABASE {

		@Override
		Servers start(Supplier<String> tags) {
			return new DatabaseServer();
		}

		@Override
		List<Scenario> scenarios() {
			return super.scenarios().stream()
				.filter((each) -> each.rule() == null || each.rule().prefetch() == null)
				.toList();
		}

	};

	/**
	 * Start the servers.
	 * @param tags returns a hash tag that is used at the moment
	 */
	abstract Servers start(Supplier<String> tags);

	/**
	 * Return what a run drives.
	 */
	List<Scenario> scenarios() {
		return Scenarios.all();
	}

}
