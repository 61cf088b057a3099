package io.github.ratelimit.interceptor;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.NearestName;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.NullLiteral;
import org.springframework.expression.spel.ast.OpEQ;
import org.springframework.expression.spel.ast.OpNE;
import org.springframework.expression.spel.ast.Operator;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.StringLiteral;

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

		private static final Set<String> METHODS = Set.of("claim", "metadata");

		private static final Map<String, String> INSTEAD = Map.of("ip", "peer", "header", "metadata");

		private static final Set<String> STATUSES = new TreeSet<>(Set.of("ABORTED", "ALREADY_EXISTS", "CANCELLED",
				"DATA_LOSS", "DEADLINE_EXCEEDED", "FAILED_PRECONDITION", "INTERNAL", "INVALID_ARGUMENT", "NOT_FOUND",
				"OK", "OUT_OF_RANGE", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "UNAUTHENTICATED", "UNAVAILABLE",
				"UNIMPLEMENTED", "UNKNOWN"));

		@Override
		public Parameters parameters() {
			return Parameters.NONE;
		}

		@Override
		public Set<String> methods() {
			return METHODS;
		}

		@Override
		public boolean isText(String name) {
			return !name.equals("claim");
		}

		@Override
		public String insteadOf(String nameInRequests) {
			return INSTEAD.getOrDefault(nameInRequests, nameInRequests);
		}

		@Override
		public void check(SpelNode part) {
			if (part instanceof MethodReference method && method.getName().equals("metadata")
					&& method.getChild(0) instanceof StringLiteral name) {
				checkMetadata(String.valueOf(name.getLiteralValue().getValue()));
			}
			else if (part instanceof Operator && part.getChildCount() == 2) {
				checkStatus(part, part.getChild(0), part.getChild(1));
				checkStatus(part, part.getChild(1), part.getChild(0));
			}
		}

		/**
		 * Refuse a name whose value no call can have, or not as a text.
		 */
		private static void checkMetadata(String name) {
			boolean isBinary = name.toLowerCase(Locale.ROOT).endsWith("-bin");
			if (isBinary || !name.matches("[\\w.-]+")) {
				throw new RefusedExpressionException(
						"reads metadata('" + name + "'), "
								+ (isBinary ? "which is binary and not a text" : "which is not a name of metadata"),
						"Write the name of a text, metadata('x-api-key') for example.");
			}
		}

		/**
		 * Refuse to compare the status with anything but the name of one.
		 */
		private void checkStatus(SpelNode comparison, SpelNode status, SpelNode other) {
			if (!this.properties.contains(EndedRequestExpressionRoot.STATUS)
					|| !status.toStringAST().matches("(#root\\.)?status") || other instanceof NullLiteral) {
				return;
			}
			String name = other.toStringAST().replace("'", "");
			boolean isConstant = other instanceof Literal
					|| (other instanceof PropertyOrFieldReference && !this.properties.contains(name));
			boolean isEquality = comparison instanceof OpEQ || comparison instanceof OpNE;
			boolean hasMeaning = other instanceof StringLiteral && (!isEquality || STATUSES.contains(name));
			if (isConstant && !hasMeaning) {
				throw new RefusedExpressionException(
						"compares status with " + other.toStringAST() + ", but a status is one of "
								+ String.join(", ", STATUSES),
						NearestName.of(name, STATUSES)
							.map((nearest) -> "Write '" + nearest + "', in single quotes.")
							.orElse("Write one of these in single quotes, \"status == 'NOT_FOUND'\" for example."));
			}
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
