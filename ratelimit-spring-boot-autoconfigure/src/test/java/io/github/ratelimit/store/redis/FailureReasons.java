package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.store.StoreException;

/**
 * The words that meters tell failures of Redis apart by, as the code has them.
 */
public final class FailureReasons {

	private FailureReasons() {
	}

	/**
	 * Every word.
	 */
	public static Set<String> all() {
		return of((failure) -> true);
	}

	/**
	 * What does not pass by itself.
	 */
	public static Set<String> mistakes() {
		return of((failure) -> failure.remedy() != null);
	}

	/**
	 * What passes by itself and concerns many calls until then.
	 */
	public static Set<String> outages() {
		return of((failure) -> failure.remedy() == null && (failure.isOutage() || failure == RedisFailures.OVERLOAD));
	}

	private static Set<String> of(Predicate<StoreException> kind) {
		RedisFailures failures = new RedisFailures(Duration.ofMillis(100));
		Stream<StoreException> replies = Stream.of(RedisError.values())
			.map((error) -> new StoreException("", null, error.reason(), error.isOutage(), error.remedy()));
		Stream<StoreException> others = Stream
			.of(new TimeoutException(), new RejectedExecutionException(), new IllegalStateException("closed"))
			.map(failures::of);
		return Stream.concat(replies, others).filter(kind).map(StoreException::reason).collect(Collectors.toSet());
	}

}
