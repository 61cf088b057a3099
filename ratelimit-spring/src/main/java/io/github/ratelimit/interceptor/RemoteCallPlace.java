package io.github.ratelimit.interceptor;

import java.util.Objects;
import java.util.Set;

import io.github.ratelimit.RateLimitRule;
import org.jspecify.annotations.Nullable;

/**
 * Property that applies a rule to remote procedure calls.
 */
final class RemoteCallPlace extends PropertyPlace {

	private static final Scope BEGINNING = new Scope(Set.of("method", "service", "peer", "principal"));

	private static final Scope ENDED = new Scope(
			Set.of("method", "service", "peer", "principal", EndedRequestExpressionRoot.STATUS));

	private final @Nullable String key;

	private final @Nullable String unless;

	RemoteCallPlace(RateLimitRule rule, String location, @Nullable String key, @Nullable String unless) {
		super(rule, location);
		this.key = key;
		this.unless = unless;
	}

	@Override
	@Nullable String own(String attribute) {
		return switch (attribute) {
			case "key" -> this.key;
			case "unless" -> this.unless;
			default -> null;
		};
	}

	@Override
	public ExpressionScope scope() {
		return BEGINNING;
	}

	@Override
	public ExpressionScope scopeAtEnd() {
		return ENDED;
	}

	@Override
	String callers() {
		return "clients";
	}

	@Override
	String exampleKey() {
		return "peer";
	}

	@Override
	String unknownName(String attribute) {
		String alone = switch (attribute) {
			case "key" -> "write " + location() + ".key over the call alone, metadata('x-api-key') for example.";
			case "plan", "zone" -> "write the " + attribute + " over the call alone, \"@customers." + attribute
					+ "Of(principal)\" for example, or in the annotations.";
			case "priority" ->
				"write the priority over the call alone, \"metadata('x-priority')\" for example, or in the "
						+ "annotations.";
			default -> "write " + attribute + " over the call and its status, or in the annotations.";
		};
		return "A remote call has no parameters yet: " + alone;
	}

	@Override
	String example(String attribute) {
		return switch (attribute) {
			case "unless" -> "Write a condition on the status for example, \"status == 'NOT_FOUND'\".";
			case "settle" -> "Write a number of units for example, \"status == 'OK' ? 1 : 5\".";
			default -> "Write metadata('x-api-key'), peer, principal, method or service for example.";
		};
	}

	/**
	 * Scope of the expressions. The call is its own root object.
	 *
	 * @param properties the properties of a call
	 */
	private record Scope(Set<String> properties) implements ExpressionScope {

		private static final Set<String> METHODS = Set.of("metadata");

		@Override
		public Parameters parameters() {
			return Parameters.NONE;
		}

		@Override
		public Set<String> methods() {
			return METHODS;
		}

		/**
		 * Keep nothing: a call does not change, except for its status.
		 */
		@Override
		public boolean readsEarly() {
			return false;
		}

		@Override
		public Object root(Call call) {
			return Objects.requireNonNull(call.context());
		}

	}

}
