package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoreAnswer;

/** What a rule has beside its counts, and follows its calls. */
interface CallFollower {

	/** Follow a call that is about to be sent, and its answer. */
	default void follow(Demand demand, CompletableFuture<StoreAnswer> answer) {
	}

	/**
	 * Hold what a call needs until it ends that runs although Redis has not admitted it,
	 * if it is free when Redis answers.
	 */
	default void hold(Demand demand) {
	}

	/** Free what a call has held that has ended, when Redis answers. */
	default void free(Demand demand) {
	}

	/**
	 * Follow a refund that is about to be sent, under any rule.
	 * @return the refund of what is counted in Redis
	 */
	default Correction refund(Correction refund) {
		return refund;
	}

	/**
	 * Note the answer to a refund, under any rule.
	 * @param failure {@code null} if Redis has refunded it
	 */
	default void refunded(Correction refund, @Nullable Throwable failure) {
	}

	/** Hold units of Redis again after {@link #close}. */
	default void open() {
	}

	/**
	 * Return all units that this instance holds, and hold none from now on. Waits for the
	 * answer of Redis, for some time.
	 */
	default void close(Duration patience) {
	}

}
