package io.github.ratelimit.interceptor;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import io.github.ratelimit.Decision;
import org.jspecify.annotations.Nullable;

/**
 * Web request whose parts are kept as they were when its call began. When the call ends,
 * the request may be over and reused by the server, or on another thread, where its
 * principal is unknown.
 */
final class KeptRequest implements CallContext {

	private final CallContext request;

	private final Map<String, Optional<Object>> parts = new ConcurrentHashMap<>();

	private KeptRequest(CallContext request) {
		this.request = request;
	}

	/**
	 * Return a call whose request keeps the parts that expressions will read. A part that
	 * cannot be read yet is read by the expression itself.
	 */
	static Call in(Call call, List<CallExpression> reads) {
		if (call.context() == null || reads.isEmpty()) {
			return call;
		}
		Call kept = new Call(call.target(), call.arguments(), new KeptRequest(call.context()));
		for (CallExpression read : reads) {
			try {
				read.evaluate(kept);
			}
			catch (RuntimeException ex) {
				// the expression fails as well, or reads it when the call ends
			}
		}
		return kept;
	}

	@Override
	public @Nullable Object read(RequestPart part, String name) {
		return this.parts.computeIfAbsent(part + name, (unknown) -> Optional.ofNullable(this.request.read(part, name)))
			.orElse(null);
	}

	@Override
	public void decided(Decision decision) {
		this.request.decided(decision);
	}

}
