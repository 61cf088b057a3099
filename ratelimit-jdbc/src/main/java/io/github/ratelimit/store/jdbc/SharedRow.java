package io.github.ratelimit.store.jdbc;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.StoreException;

/**
 * Row of what is shared and not counted. It is read, changed and written as a whole, and
 * never expires.
 *
 * @param <T> the type of its content
 */
final class SharedRow<T> {

	private final RowKey key;

	private final CallQueue queue;

	private final CallWait calls;

	private final BiFunction<byte[], LongSupplier, T> reader;

	private final Function<T, byte[]> writer;

	private final Consumer<@Nullable StoreException> whenRead;

	/**
	 * Create a new instance.
	 * @param reader reads the content, given the clock of the database; from no bytes if
	 * there is none
	 * @param whenRead gets the failure of each call that no program has made, or
	 * {@code null} if it was answered
	 */
	SharedRow(RowKey key, CallQueue queue, CallWait calls, BiFunction<byte[], LongSupplier, T> reader,
			Function<T, byte[]> writer, Consumer<@Nullable StoreException> whenRead) {
		this.key = key;
		this.queue = queue;
		this.calls = calls;
		this.reader = reader;
		this.writer = writer;
		this.whenRead = whenRead;
	}

	/**
	 * Read the content, and write it if that changes it.
	 */
	<R> R call(Function<T, R> action) {
		try {
			R result = this.calls.await(begin(action));
			this.whenRead.accept(null);
			return result;
		}
		catch (StoreException ex) {
			this.whenRead.accept(ex);
			throw ex;
		}
	}

	/**
	 * Do the same for a program that names a rule.
	 */
	<R> R call(String rule, Function<T, R> action) {
		return this.calls.call(rule, () -> begin(action));
	}

	private <R> CompletableFuture<R> begin(Function<T, R> action) {
		return this.queue.call(List.of(this.key), (rows) -> {
			T content = this.reader.apply(rows.shared(this.key), rows::now);
			R result = action.apply(content);
			rows.share(this.key, this.writer.apply(content));
			return result;
		});
	}

}
