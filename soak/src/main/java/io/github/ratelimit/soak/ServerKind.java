package io.github.ratelimit.soak;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Kind of the servers that the instances of a run share.
 */
enum ServerKind {

	/**
	 * One Redis server.
	 */
	SINGLE((tags) -> new SingleServer()),

	/**
	 * A Redis cluster.
	 */
	CLUSTER(ClusterServers::new),

	/**
	 * A PostgreSQL server.
	 */
	DATABASE((tags) -> new DatabaseServer());

	private final Function<Supplier<String>, Servers> starter;

	ServerKind(Function<Supplier<String>, Servers> starter) {
		this.starter = starter;
	}

	/**
	 * Start the servers.
	 * @param tags returns a hash tag that is used at the moment
	 */
	Servers start(Supplier<String> tags) {
		return this.starter.apply(tags);
	}

	/**
	 * Return what a run drives. Rules with prefetch need Redis.
	 */
	List<Scenario> scenarios() {
		return Scenarios.all()
			.stream()
			.filter((each) -> this != DATABASE || each.rule() == null || each.rule().prefetch() == null)
			.toList();
	}

}
