package io.github.ratelimit.benchmarks.soak;

import java.util.random.RandomGenerator;

import io.github.ratelimit.redis.process.RedisProcess;

/**
 * Fault of a Redis server.
 */
enum Fault {

	/** Redis hangs for a moment, shorter or longer than callers wait. */
	FREEZE(false) {

		@Override
		void happen(RedisProcess redis, RandomGenerator random) throws InterruptedException {
			redis.freeze();
			Thread.sleep(random.nextInt(20, 3_000));
			redis.resume();
		}

	},

	/** Redis is killed, and restarts empty. */
	KILL(true) {

		@Override
		void happen(RedisProcess redis, RandomGenerator random) throws InterruptedException {
			redis.kill();
			Thread.sleep(random.nextInt(0, 3_000));
			redis.restart();
		}

	},

	/** Redis is flushed. */
	FLUSH(true) {

		@Override
		void happen(RedisProcess redis, RandomGenerator random) {
			redis.command("FLUSHALL");
		}

	},

	/** Its scripts are flushed. */
	FORGET_SCRIPTS(false) {

		@Override
		void happen(RedisProcess redis, RandomGenerator random) {
			redis.command("SCRIPT", "FLUSH");
		}

	},

	/** All connections break while calls are in flight. */
	BREAK_CONNECTIONS(false) {

		@Override
		void happen(RedisProcess redis, RandomGenerator random) {
			redis.command("CLIENT", "KILL", "TYPE", "normal");
		}

	},

	/** Redis becomes a read-only replica, and then a master again. */
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
	 * Return whether counts may be lost.
	 */
	boolean isLosingCounts() {
		return this.losingCounts;
	}

	abstract void happen(RedisProcess redis, RandomGenerator random) throws InterruptedException;

}
