package io.github.ratelimit.interceptor;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.ratelimit.Decision;
import org.jspecify.annotations.Nullable;

/**
 * Web request whose parts are kept as they were when its call began. When the call ends,
 * the request may be over and reused by the server, or on another thread, where its
 * principal is unknown.
 */
final class KeptRequest implements CallContext {

	private final CallContext request;

	private final Map<String, Optional<String>> parts = new ConcurrentHashMap<>();

	private KeptRequest(CallContext request) {
		this.request = request;
	}

	/**
	 * Return a call whose request keeps the parts that expressions will read. A part that
	 * cannot be read yet is read by the expression itself.
	 * @param reads read the parts
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
	public String ip() {
		return kept("ip", this.request::ip).orElseThrow();
	}

	@Override
	public @Nullable String principal() {
		return kept("principal", this.request::principal).orElse(null);
	}

	@Override
	public String path() {
		return kept("path", this.request::path).orElseThrow();
	}

	@Override
	public @Nullable String header(String name) {
		return kept("header " + name, () -> this.request.header(name)).orElse(null);
	}

	private Optional<String> kept(String part, Supplier<@Nullable String> value) {
		return this.parts.computeIfAbsent(part, (unknown) -> Optional.ofNullable(value.get()));
	}

	@Override
	public void decided(Decision decision) {
		this.request.decided(decision);
	}

}
