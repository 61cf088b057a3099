package io.github.ratelimit.interceptor;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Verifications of what names a rule and is created before annotations have defined their
 * rules. They wait for the end of startup; later ones run at once.
 *
 * @since 0.1.0
 */
public final class LateVerifications {

	private final List<Runnable> waiting = new CopyOnWriteArrayList<>();

	private volatile @Nullable Consumer<Runnable> attempt;

	public void add(Runnable verification) {
		Consumer<Runnable> known = this.attempt;
		if (known != null) {
			known.accept(verification);
		}
		else {
			this.waiting.add(verification);
		}
	}

	/**
	 * Run those that wait, and from now on each new one at once.
	 * @param attempt runs a verification. If it throws nothing, calls fail of what is
	 * invalid
	 */
	public void start(Consumer<Runnable> attempt) {
		this.attempt = attempt;
		this.waiting.forEach(attempt);
		this.waiting.clear();
	}

}
