package io.github.ratelimit.redis.process;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Nodes of a cluster in the view of one of them.
 *
 * @param nodes the nodes, as the command CLUSTER NODES lists them
 */
record ClusterView(List<Node> nodes) {

	static ClusterView of(RedisProcess process) {
		String lines = String.valueOf(process.command("CLUSTER", "NODES"));
		return new ClusterView(lines.lines().map(Node::parse).toList());
	}

	Node myself() {
		return this.nodes.stream().filter((node) -> node.flags().contains("myself")).findFirst().orElseThrow();
	}

	@Nullable Node owner(int slot) {
		return this.nodes.stream().filter((node) -> node.owns(slot)).findFirst().orElse(null);
	}

	/**
	 * Return the ports of the nodes that have slots.
	 */
	Set<Integer> masters() {
		return this.nodes.stream()
			.filter((node) -> !node.slots().isEmpty())
			.map(Node::port)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/**
	 * Return the role of each node on these ports: the slots of a master, the master of a
	 * replica.
	 */
	Map<Integer, String> roles(Set<Integer> ports) {
		Map<Integer, String> roles = new TreeMap<>();
		this.nodes.stream()
			.filter((node) -> ports.contains(node.port()) && !node.isMissed())
			.forEach((node) -> roles.put(node.port(), node.role()));
		return roles;
	}

	/**
	 * One line of CLUSTER NODES.
	 *
	 * @param id of the node
	 * @param port for clients
	 * @param flags such as {@code myself} or {@code master}
	 * @param master id of its master, {@code -} if it is one
	 * @param slots such as {@code 0-5460} or {@code 5461}
	 */
	record Node(String id, int port, List<String> flags, String master, List<String> slots) {

		private static final Set<String> MISSED = Set.of("handshake", "noaddr", "fail", "fail?");

		static Node parse(String line) {
			String[] words = line.split(" ");
			String address = words[1];
			int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1, address.indexOf('@')));
			List<String> slots = Arrays.stream(words, 8, words.length)
				.filter((word) -> !word.startsWith("[")) // in migration
				.toList();
			return new Node(words[0], port, List.of(words[2].split(",")), words[3], slots);
		}

		boolean isMissed() {
			return this.flags.stream().anyMatch(MISSED::contains);
		}

		String role() {
			return this.slots.isEmpty() ? "replica of " + this.master : "slots " + String.join(", ", this.slots);
		}

		boolean owns(int slot) {
			return this.slots.stream().map((range) -> range.split("-")).anyMatch((range) -> {
				int first = Integer.parseInt(range[0]);
				int last = Integer.parseInt(range[range.length - 1]);
				return first <= slot && slot <= last;
			});
		}

	}

}
