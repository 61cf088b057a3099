package io.github.ratelimit.store.redis;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Script runner that holds scripts back while it is shut, and then runs them in order of
 * arrival.
 */
final class Gate implements ScriptRunner {

	private final ScriptRunner runner;

	private final Queue<CompletableFuture<Void>> held = new ArrayDeque<>();

	private boolean shut;

	Gate(ScriptRunner runner) {
		this.runner = runner;
	}

	synchronized void shut() {
		this.shut = true;
	}

	synchronized void open() {
		this.shut = false;
		while (!this.held.isEmpty()) {
			this.held.remove().complete(null);
		}
	}

	@Override
	public synchronized CompletableFuture<byte[]> run(Script script, byte[][] keys, byte[][] arguments,
			Consumer<byte[]> late) {
		CompletableFuture<Void> go = new CompletableFuture<>();
		this.held.add(go);
		CompletableFuture<byte[]> reply = go.thenCompose((open) -> this.runner.run(script, keys, arguments, late));
		if (!this.shut) {
			open();
		}
		return reply;
	}

	@Override
	public CompletableFuture<Void> connect() {
		return this.runner.connect();
	}

	@Override
	public void close() {
		this.runner.close();
	}

}
