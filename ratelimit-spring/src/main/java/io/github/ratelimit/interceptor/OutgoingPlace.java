package io.github.ratelimit.interceptor;

import io.github.ratelimit.RateLimitRule;
import org.jspecify.annotations.Nullable;

/**
 * Property that applies a rule to outgoing requests, whose end is not followed.
 */
final class OutgoingPlace extends PropertyPlace {

	private final @Nullable String key;

	OutgoingPlace(RateLimitRule rule, String location, @Nullable String key) {
		super(rule, location);
		this.key = key;
	}

	@Override
	@Nullable String own(String attribute) {
		return attribute.equals("key") ? this.key : null;
	}

	@Override
	public ExpressionScope scope() {
		return new OutgoingScope();
	}

	@Override
	public ExpressionScope scopeAtEnd() {
		throw new UnsupportedOperationException();
	}

	@Override
	String callers() {
		return "outgoing requests";
	}

	@Override
	String exampleKey() {
		return "host";
	}

	@Override
	String unknownName(String attribute) {
		String alone = switch (attribute) {
			case "key" -> "write " + location() + ".key over the outgoing request alone, host for example.";
			case "priority" ->
				"write the priority over the outgoing request alone, \"header('X-Priority')\" for example.";
			default -> "write the " + attribute + " over the outgoing request alone, \"@" + attribute
					+ "s.of(host)\" for example.";
		};
		return "An outgoing request has no parameters: " + alone;
	}

	@Override
	String example(String attribute) {
		return "Write host, path, method or header('X-Api-Key') for example.";
	}

}
