package io.github.ratelimit.store.redis;

/**
 * Distribution of keys over the servers behind a connection. It decides which keys one
 * script call may name together. A client that is configured for Redis Cluster never
 * sends keys of different hash slots together.
 *
 * @since 0.1.0
 */
public enum RedisSharding {

	/** Found out by a few script calls at startup. */
	AUTO,

	/** One server has all keys. */
	NONE,

	/** One endpoint leads to a cluster: calls are sent together by hash slot. */
	CLUSTER,

	/** A proxy spreads keys over servers: calls are sent together by rule and key. */
	PROXY

}
