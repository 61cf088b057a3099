package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.store.StoreException;

/**
 * Values of the tag by which meters distinguish failures of Redis.
 */
public final class FailureReasons {

	private FailureReasons() {
	}

	/**
	 * Return all values.
	 */
	public static Set<String> all() {
		return of((failure) -> true);
	}

	/**
	 * Return the reasons that need a remedy.
	 */
	public static Set<String> mistakes() {
		return of((failure) -> failure.remedy() != null);
	}

	/**
	 * Return the temporary reasons that affect many calls.
	 */
	public static Set<String> outages() {
		return of((failure) -> failure.remedy() == null && (failure.isOutage() || failure == RedisFailures.OVERLOAD));
	}

	private static Set<String> of(Predicate<StoreException> kind) {
		RedisFailures failures = new RedisFailures((call) -> new CompletableFuture<>(), Duration.ofMillis(100));
		Stream<StoreException> replies = Stream.of(RedisError.values())
			.map((error) -> new StoreException("", null, error.reason(), error.isOutage(), error.remedy()));
		Stream<StoreException> others = Stream
			.of(new TimeoutException(), new RejectedExecutionException(), new IllegalStateException("closed"))
			.map(failures::of);
		StoreException tls = new StoreException("", null, "tls", true, "Set spring.data.redis.ssl.enabled.");
		return Stream.of(replies, others, Stream.of(tls))
			.flatMap((all) -> all)
			.filter(kind)
			.map(StoreException::reason)
			.collect(Collectors.toSet());
	}

}
