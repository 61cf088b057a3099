package io.github.ratelimit.store.redis;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisNode;

/**
 * Failover in progress: which sentinels know the new master, and the replica that becomes
 * it. {@link FailoverScriptRunner} guards what is not atomic.
 */
final class Failover {

	private final Set<RedisNode> informed = new HashSet<>();

	private final AtomicBoolean ending = new AtomicBoolean();

	/**
	 * {@code true} if a sentinel has learned of the new master since the last attempt to
	 * connect to it.
	 */
	private boolean outdated;

	private volatile @Nullable PromotedReplica replica;

	/**
	 * Create a failover.
	 * @param replica the replica of an earlier failover that this one continues
	 */
	Failover(@Nullable PromotedReplica replica) {
		this.replica = replica;
	}

	/**
	 * Call a replica from now on.
	 */
	void follow(PromotedReplica promoted) {
		this.replica = promoted;
		promoted.connect();
	}

	@Nullable PromotedReplica replica() {
		return this.replica;
	}

	/**
	 * Return the runner of scripts on the replica.
	 * @return {@code null} if there is none, or it is not connected
	 */
	@Nullable ScriptRunner runner() {
		PromotedReplica promoted = this.replica;
		return (promoted != null) ? promoted.runner() : null;
	}

	/**
	 * Connect to the replica; fails if there is none.
	 */
	CompletableFuture<Void> connect() {
		PromotedReplica promoted = this.replica;
		return (promoted != null) ? promoted.connect() : CompletableFuture.failedFuture(FailoverScriptRunner.REPLACED);
	}

	/**
	 * Note that a sentinel knows the new master.
	 */
	void switched(RedisNode sentinel) {
		this.informed.add(sentinel);
		this.outdated = this.ending.get();
	}

	/**
	 * Return the number of sentinels that know the new master.
	 */
	int informed() {
		return this.informed.size();
	}

	/**
	 * Begin to end.
	 * @return {@code false} if that has begun already
	 */
	boolean end() {
		return this.ending.compareAndSet(false, true);
	}

	/**
	 * Clear the mark of an outdated attempt to connect.
	 * @return whether it was set
	 */
	boolean clearOutdated() {
		boolean cleared = this.outdated;
		this.outdated = false;
		return cleared;
	}

}
