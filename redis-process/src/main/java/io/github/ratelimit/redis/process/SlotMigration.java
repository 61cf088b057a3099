package io.github.ratelimit.redis.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Migration of a cluster slot to another master. Until {@link #end()} the source owns the
 * slot, but answers ASK for keys that it does not have (any more).
 */
public final class SlotMigration {

	private static final String TIMEOUT = "5000";

	private final RedisCluster cluster;

	private final String slot;

	private final RedisProcess source;

	private final RedisProcess target;

	private final @Nullable Credentials credentials;

	private SlotMigration(RedisCluster cluster, int slot, RedisProcess target, @Nullable Credentials credentials) {
		this.cluster = cluster;
		this.slot = Integer.toString(slot);
		this.source = cluster.masterOf(slot);
		this.target = target;
		this.credentials = credentials;
	}

	static SlotMigration begin(RedisCluster cluster, int slot, RedisProcess target, @Nullable Credentials credentials) {
		SlotMigration migration = new SlotMigration(cluster, slot, target, credentials);
		if (migration.source == target) {
			throw new IllegalArgumentException("Slot %d is already on %s".formatted(slot, target));
		}
		migration.setSlot(target, "IMPORTING", migration.source);
		migration.setSlot(migration.source, "MIGRATING", target);
		return migration;
	}

	/**
	 * Return the master that the slot moves from.
	 * @return a node of the cluster
	 */
	public RedisProcess source() {
		return this.source;
	}

	/**
	 * Return the master that the slot moves to.
	 * @return a node of the cluster
	 */
	public RedisProcess target() {
		return this.target;
	}

	/**
	 * Move some keys.
	 * @param keys keys of this slot; missing keys are ignored
	 */
	public void move(String... keys) {
		List<String> command = new ArrayList<>(
				List.of("MIGRATE", this.target.host(), Integer.toString(this.target.port()), "", "0", TIMEOUT));
		if (this.credentials != null) {
			command.addAll(this.credentials.migrateArguments());
		}
		command.add("KEYS");
		command.addAll(List.of(keys));
		this.source.command(command.toArray(String[]::new));
	}

	/**
	 * Move all keys of the slot.
	 */
	public void moveKeys() {
		for (String[] keys = keys(); keys.length > 0; keys = keys()) {
			move(keys);
		}
	}

	private String[] keys() {
		Object keys = this.source.command("CLUSTER", "GETKEYSINSLOT", this.slot, "100");
		return ((List<?>) Objects.requireNonNull(keys)).stream().map(String::valueOf).toArray(String[]::new);
	}

	/**
	 * Assign the slot to the target, and wait until all running nodes know. All keys must
	 * have been moved.
	 */
	public void end() {
		setSlot(this.target, "NODE", this.target);
		setSlot(this.source, "NODE", this.target);
		this.cluster.awaitHealthy();
	}

	private void setSlot(RedisProcess node, String state, RedisProcess other) {
		node.command("CLUSTER", "SETSLOT", this.slot, state, RedisCluster.id(other));
	}

}
