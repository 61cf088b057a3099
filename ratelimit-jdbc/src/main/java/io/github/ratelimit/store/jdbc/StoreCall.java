package io.github.ratelimit.store.jdbc;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.StoreException;

/**
 * Call on the table, which waits for a transaction and is its own answer. It is decided
 * within the transaction, and answered after the commit. A caller that gives up completes
 * it exceptionally, so that a later answer is known to be late.
 *
 * @param <T> the type of the answer
 */
final class StoreCall<T> extends CompletableFuture<T> {

	private final List<RowKey> keys;

	private final Function<LockedRows, T> decision;

	private final Consumer<T> late;

	private @Nullable T decided;

	private @Nullable RuntimeException failure;

	/** Create a call that needs rows. An answer is late if its caller has given up. */
	StoreCall(List<RowKey> keys, Function<LockedRows, T> decision, Consumer<T> late) {
		this.keys = keys;
		this.decision = decision;
		this.late = late;
	}

	List<RowKey> keys() {
		return this.keys;
	}

	/** Decide the call, unless it is answered, failed or given up. */
	void decide(LockedRows rows) {
		this.decided = null;
		this.failure = null;
		try {
			this.decided = isDone() ? null : this.decision.apply(rows);
		}
		catch (RuntimeException ex) {
			this.failure = (ex instanceof StoreException) ? ex
					: new StoreException("A call could not be decided: " + ex, ex, "state", false, null);
		}
	}

	/** Answer the call as it was decided. */
	void answer() {
		T known = this.decided;
		if (this.failure != null) {
			completeExceptionally(this.failure);
		}
		else if (!complete(known) && known != null) {
			this.late.accept(known);
		}
	}

}
