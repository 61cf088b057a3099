package io.github.ratelimit.benchmarks.soak;

import java.util.random.RandomGenerator;

import io.github.ratelimit.redis.process.RedisProcess;

/**
 * What may happen to a Redis.
 */
enum Fault {

	/** It hangs for a moment, shorter or longer than callers wait. */
	FREEZE(false) {

		@Override
		void happen(RedisProcess redis, RandomGenerator random) throws InterruptedException {
			redis.freeze();
			Thread.sleep(random.nextInt(20, 3_000));
			redis.resume();
		}

	},

	/** It is killed, and comes back empty. */
	KILL(true) {

		@Override
		void happen(RedisProcess redis, RandomGenerator random) throws InterruptedException {
			redis.kill();
			Thread.sleep(random.nextInt(0, 3_000));
			redis.restart();
		}

	},

	/** Somebody empties it. */
	FLUSH(true) {

		@Override
		void happen(RedisProcess redis, RandomGenerator random) {
			redis.command("FLUSHALL");
		}

	},

	/** It forgets its scripts. */
	FORGET_SCRIPTS(false) {

		@Override
		void happen(RedisProcess redis, RandomGenerator random) {
			redis.command("SCRIPT", "FLUSH");
		}

	},

	/** All connections break while calls are under way. */
	BREAK_CONNECTIONS(false) {

		@Override
		void happen(RedisProcess redis, RandomGenerator random) {
			redis.command("CLIENT", "KILL", "TYPE", "normal");
		}

	},

	/** It becomes a replica that refuses to write, and a master again. */
	DEMOTE(true) {

		@Override
		void happen(RedisProcess redis, RandomGenerator random) throws InterruptedException {
			redis.command("REPLICAOF", "127.0.0.1", "1");
			Thread.sleep(random.nextInt(0, 2_000));
			redis.command("REPLICAOF", "NO", "ONE");
		}

	},

	/** Its memory is full. */
	FILL(false) {

		@Override
		void happen(RedisProcess redis, RandomGenerator random) throws InterruptedException {
			redis.command("CONFIG", "SET", "maxmemory", "1");
			Thread.sleep(random.nextInt(0, 2_000));
			redis.command("CONFIG", "SET", "maxmemory", "0");
		}

	};

	private final boolean losingCounts;

	Fault(boolean losingCounts) {
		this.losingCounts = losingCounts;
	}

	/**
	 * Whether what was counted may be gone afterwards.
	 */
	boolean isLosingCounts() {
		return this.losingCounts;
	}

	abstract void happen(RedisProcess redis, RandomGenerator random) throws InterruptedException;

}
