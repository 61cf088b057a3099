package io.github.ratelimit.store.redis;

import java.util.stream.Stream;

import io.github.ratelimit.redis.process.RedisBinary;
import io.github.ratelimit.redis.process.RedisOptions;
import io.github.ratelimit.redis.process.RedisProcess;

/**
 * Combination of a client and an available version of Redis.
 */
record ClientOnRedis(RunnerUnderTest client, RedisBinary redis) {

	static Stream<ClientOnRedis> all() {
		return RedisBinary.all()
			.stream()
			.flatMap((redis) -> Stream.of(RunnerUnderTest.values()).map((client) -> new ClientOnRedis(client, redis)));
	}

	RedisProcess start(String... arguments) {
		return start(RedisOptions.none().withArguments(arguments));
	}

	RedisProcess start(RedisOptions options) {
		return RedisProcess.start(options.withBinary(this.redis));
	}

	@Override
	public String toString() {
		return this.client + " on Redis " + this.redis.version();
	}

}
