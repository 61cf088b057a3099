package io.github.ratelimit.store.redis;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/**
 * Script runner that holds runs of scripts back while it is shut, and then runs them in
 * order of arrival: similar ones together, which makes long walks fast.
 */
final class Gate implements ScriptRunner {

	private static final int AT_ONCE = 100;

	private final ScriptRunner runner;

	private final Queue<ScriptRun> held = new ArrayDeque<>();

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
			ScriptRun first = this.held.remove();
			List<ScriptRun> runs = new ArrayList<>(List.of(first));
			while (runs.size() < AT_ONCE && !this.held.isEmpty() && this.held.element().isSimilarTo(first)) {
				runs.add(this.held.remove());
			}
			ScriptRun.run(runs, this.runner);
		}
	}

	@Override
	public synchronized CompletableFuture<byte[]> run(ScriptCall call) {
		ScriptRun run = new ScriptRun(call, new CompletableFuture<>());
		this.held.add(run);
		if (!this.shut) {
			open();
		}
		return run.reply();
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
