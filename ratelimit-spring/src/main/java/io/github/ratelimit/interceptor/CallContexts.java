package io.github.ratelimit.interceptor;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;

/**
 * Web requests of child contexts, for the limited beans of a parent context that is no
 * web application itself.
 *
 * @since 0.1.0
 */
public final class CallContexts {

	private final List<CallContextSource> sources = new CopyOnWriteArrayList<>();

	/**
	 * Add the requests of a context.
	 * @param source the source of its requests
	 */
	public void add(CallContextSource source) {
		this.sources.add(source);
	}

	/**
	 * Remove the requests of a context that is closed.
	 * @param source the source of its requests
	 */
	public void remove(CallContextSource source) {
		this.sources.remove(source);
	}

	/**
	 * Return the request of the current thread.
	 * @return the request, {@code null} if it is in no child context
	 */
	public @Nullable CallContext current() {
		for (CallContextSource each : this.sources) {
			CallContext current = each.current();
			if (current != null) {
				return current;
			}
		}
		return null;
	}

}
