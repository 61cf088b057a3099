package io.github.ratelimit.interceptor;

import java.util.List;
import java.util.Map;
import java.util.Objects;
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
	public String ip() {
		return Objects.requireNonNull(kept("ip", this.request::ip));
	}

	@Override
	public @Nullable String principal() {
		return kept("principal", this.request::principal);
	}

	@Override
	public String path() {
		return Objects.requireNonNull(kept("path", this.request::path));
	}

	@Override
	public String sentPath() {
		return Objects.requireNonNull(kept("sent path", this.request::sentPath));
	}

	@Override
	public @Nullable String header(String name) {
		return kept("header " + name, () -> this.request.header(name));
	}

	@Override
	public @Nullable String param(String name) {
		return kept("param " + name, () -> this.request.param(name));
	}

	@Override
	public @Nullable String cookie(String name) {
		return kept("cookie " + name, () -> this.request.cookie(name));
	}

	@Override
	public @Nullable Object claim(String name) {
		return kept("claim " + name, () -> this.request.claim(name));
	}

	@Override
	public @Nullable String pathVariable(String name) {
		return kept("path variable " + name, () -> this.request.pathVariable(name));
	}

	@SuppressWarnings("unchecked")
	private <T> @Nullable T kept(String part, Supplier<@Nullable T> value) {
		return (T) this.parts.computeIfAbsent(part, (unknown) -> Optional.ofNullable(value.get())).orElse(null);
	}

	@Override
	public void decided(Decision decision) {
		this.request.decided(decision);
	}

}
