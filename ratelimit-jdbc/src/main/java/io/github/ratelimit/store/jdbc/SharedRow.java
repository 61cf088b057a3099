package io.github.ratelimit.store.jdbc;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.override.OverridePlace;
import io.github.ratelimit.store.FigureStore;
import io.github.ratelimit.store.StoreException;

/** Row that has all overrides and never expires. Its calls come one after the other. */
final class SharedRow implements OverridePlace {

	private final RowKey key;

	private final CallQueue queue;

	private final FigureStore figures;

	private final Consumer<@Nullable StoreException> whenRead;

	private volatile long now;

	/** Create a row that reports calls that no program has made, with their failures. */
	SharedRow(RowKey key, CallQueue queue, FigureStore figures, Consumer<@Nullable StoreException> whenRead) {
		this.key = key;
		this.queue = queue;
		this.figures = figures;
		this.whenRead = whenRead;
	}

	@Override
	public <R> R call(@Nullable String rule, Content content, Supplier<R> action) {
		if (rule != null) {
			return this.queue.await(rule, () -> begin(content, action));
		}
		try {
			R result = this.queue.await(begin(content, action));
			this.whenRead.accept(null);
			return result;
		}
		catch (StoreException ex) {
			this.whenRead.accept(ex);
			throw ex;
		}
	}

	private <R> CompletableFuture<R> begin(Content content, Supplier<R> action) {
		return this.queue.call(List.of(this.key), (rows) -> {
			rows.shared(this.key, (bytes) -> {
				content.read(bytes);
				return true;
			});
			this.now = rows.now();
			R result = action.get();
			rows.share(this.key, content.toBytes(), Long.MAX_VALUE);
			return result;
		});
	}

	@Override
	public long now() {
		return this.now;
	}

	@Override
	public Supplier<FigureStore> figures() {
		return () -> this.figures;
	}

	@Override
	public boolean isShared() {
		return true;
	}

}
