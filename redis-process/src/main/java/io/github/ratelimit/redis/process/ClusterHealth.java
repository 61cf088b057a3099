package io.github.ratelimit.redis.process;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Health of a cluster: every running node agrees on the owner of each slot, these masters
 * run, and the other running nodes are their replicas and up to date.
 *
 * @param nodes all nodes, including stopped ones
 */
record ClusterHealth(List<RedisProcess> nodes) {

	/**
	 * Wait until the cluster is healthy.
	 * @throws IllegalStateException if that does not happen within 30 seconds
	 */
	void await() {
		Condition healthy = () -> {
			ClusterView view = ClusterView.of(anyRunning());
			return running().map((node) -> illnessOf(node, view)).flatMap(Optional::stream).findFirst();
		};
		healthy.await("The cluster becomes healthy");
	}

	private Optional<String> illnessOf(RedisProcess node, ClusterView otherView) {
		Set<Integer> running = running().map(RedisProcess::port).collect(Collectors.toSet());
		ClusterView view = ClusterView.of(node);
		Map<Integer, String> roles = view.roles(running);
		if (!running.containsAll(view.masters())) {
			return Optional.of("%s reports slots on %s".formatted(node, view.masters()));
		}
		if (!roles.keySet().equals(running)) {
			return Optional.of("%s reaches only the nodes on %s".formatted(node, roles.keySet()));
		}
		if (!roles.equals(otherView.roles(running))) {
			return Optional.of("%s reports %s, another reports %s".formatted(node, roles, otherView.roles(running)));
		}
		if (!String.valueOf(node.command("CLUSTER", "INFO")).contains("cluster_state:ok")) {
			return Optional.of(node + " reports that the cluster is not ok");
		}
		if (!view.masters().contains(node.port())
				&& !String.valueOf(node.command("INFO", "replication")).contains("master_link_status:up")) {
			return Optional.of(node + " is not up to date with its master");
		}
		return Optional.empty();
	}

	RedisProcess anyRunning() {
		return running().findFirst().orElseThrow(() -> new IllegalStateException("No node runs"));
	}

	private Stream<RedisProcess> running() {
		return this.nodes.stream().filter(RedisProcess::isRunning);
	}

}
