package io.github.ratelimit.store.jdbc;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.StoreException;

/**
 * Call that waits for its answer. It is decided within a transaction, maybe several times
 * if that is repeated, and answered when the transaction is committed.
 *
 * @param <T> the type of the answer
 */
final class StoreCall<T> {

	private final List<RowKey> keys;

	private final Function<LockedRows, T> decide;

	private final Consumer<T> late;

	private final CompletableFuture<T> answer = new CompletableFuture<>();

	private @Nullable T decided;

	private @Nullable RuntimeException failure;

	/**
	 * Create a new call.
	 * @param keys the rows that it needs
	 * @param decide decides it by these rows
	 * @param late gets the answer if the caller has given up meanwhile
	 */
	StoreCall(List<RowKey> keys, Function<LockedRows, T> decide, Consumer<T> late) {
		this.keys = keys;
		this.decide = decide;
		this.late = late;
	}

	List<RowKey> keys() {
		return this.keys;
	}

	CompletableFuture<T> answer() {
		return this.answer;
	}

	/**
	 * Return whether the call is answered, failed or given up.
	 */
	boolean isOver() {
		return this.answer.isDone();
	}

	/**
	 * Decide the call, unless the caller has given up.
	 */
	void decide(LockedRows rows) {
		this.decided = null;
		this.failure = null;
		if (isOver()) {
			return;
		}
		try {
			this.decided = this.decide.apply(rows);
		}
		catch (StoreException ex) {
			this.failure = ex;
		}
		catch (RuntimeException ex) {
			this.failure = new StoreException("A call could not be decided: " + ex, ex, "state", false, null);
		}
	}

	/**
	 * Answer the call as it was decided.
	 */
	void answerDecided() {
		T known = this.decided;
		if (this.failure != null) {
			this.answer.completeExceptionally(this.failure);
		}
		else if (!this.answer.complete(known) && known != null) {
			this.late.accept(known);
		}
	}

	void fail(Throwable reason) {
		this.answer.completeExceptionally(reason);
	}

}
