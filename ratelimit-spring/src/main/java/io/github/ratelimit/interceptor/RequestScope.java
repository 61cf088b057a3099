package io.github.ratelimit.interceptor;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
 * Scope of the expressions of requests: the request and, when it has ended, its status.
 */
record RequestScope(Kind kind, @Nullable PathVariables variables, boolean hasEnded) implements ExpressionScope {

	private static final String STATUS = RequestExpressionRoot.Ended.STATUS;

	private static final Map<String, String> IN_REMOTE_CALLS = Map.of("ip", "peer", "header", "metadata");

	private static final Set<String> STATUSES = new TreeSet<>(
			Set.of("ABORTED", "ALREADY_EXISTS", "CANCELLED", "DATA_LOSS", "DEADLINE_EXCEEDED", "FAILED_PRECONDITION",
					"INTERNAL", "INVALID_ARGUMENT", "NOT_FOUND", "OK", "OUT_OF_RANGE", "PERMISSION_DENIED",
					"RESOURCE_EXHAUSTED", "UNAUTHENTICATED", "UNAVAILABLE", "UNIMPLEMENTED", "UNKNOWN"));

	@Override
	public Set<String> properties() {
		return !this.hasEnded ? this.kind.properties()
				: Stream.concat(this.kind.properties().stream(), Stream.of(STATUS)).collect(Collectors.toSet());
	}

	@Override
	public Set<String> methods() {
		return this.kind.methods();
	}

	@Override
	public boolean isText(String name) {
		return this.kind.texts().contains(name);
	}

	@Override
	public String insteadOf(String nameInRequests) {
		return isRemote() ? IN_REMOTE_CALLS.getOrDefault(nameInRequests, nameInRequests) : nameInRequests;
	}

	private boolean isRemote() {
		return this.kind == Kind.REMOTE_CALL;
	}

	@Override
	public @Nullable Set<String> pathVariables(ExpressionBeans beans) {
		return (this.variables != null) ? this.variables.names() : null;
	}

	@Override
	public void check(SpelNode part) {
		if (!isRemote()) {
			return;
		}
		if (part instanceof MethodReference method && method.getName().equals("metadata")
				&& method.getChild(0) instanceof StringLiteral name) {
			checkMetadata(String.valueOf(name.getLiteralValue().getValue()));
		}
		else if (part instanceof Operator && part.getChildCount() == 2 && this.hasEnded) {
			checkStatus(part, part.getChild(0), part.getChild(1));
			checkStatus(part, part.getChild(1), part.getChild(0));
		}
	}

	/** Refuse a name whose value no call can have, or not as a text. */
	private static void checkMetadata(String name) {
		boolean isBinary = name.toLowerCase(Locale.ROOT).endsWith("-bin");
		if (isBinary || !name.matches("[\\w.-]+")) {
			throw new RefusedExpressionException(
					"reads metadata('" + name + "'), "
							+ (isBinary ? "which is binary and not a text" : "which is not a name of metadata"),
					"Write the name of a text, metadata('x-api-key') for example.");
		}
	}

	/** Refuse to compare the status with anything but the name of one. */
	private void checkStatus(SpelNode comparison, SpelNode status, SpelNode other) {
		if (!status.toStringAST().matches("(#root\\.)?status") || other instanceof NullLiteral) {
			return;
		}
		String name = other.toStringAST().replace("'", "");
		boolean isConstant = other instanceof Literal
				|| (other instanceof PropertyOrFieldReference && !properties().contains(name));
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

	/** Keep nothing of a remote call, which does not change, except for its status. */
	@Override
	public boolean readsEarly() {
		return !isRemote();
	}

	@Override
	public ExpressionScope atEnd() {
		return new RequestScope(this.kind, this.variables, true);
	}

	@Override
	public Object root(Call call) {
		if (this.kind == Kind.WEB) {
			return this.hasEnded ? new RequestExpressionRoot.Ended(call, this.variables)
					: new RequestExpressionRoot(call, this.variables);
		}
		return Objects.requireNonNull(isRemote() ? call.context() : call.target());
	}

	/**
	 * Kind of requests to which properties apply rules: what their expressions read, and
	 * the words of messages about them.
	 *
	 * @param noun such a request
	 * @param callers who shares a counter without a key
	 * @param unknownName why a name of the rule's other calls is unknown
	 * @param names what an expression may read, for example
	 * @param examples an expression of each attribute
	 * @param ofAnnotations the attributes that annotations may have instead
	 * @param methods the methods, which have one argument, a name
	 * @param texts the properties and methods that are texts
	 */
	record Kind(String noun, String callers, String exampleKey, String unknownName, String names,
			Map<String, String> examples, List<String> ofAnnotations, Set<String> properties, Set<String> methods,
			Set<String> texts) {

		static final Kind WEB = new Kind("request", "clients", "ip", "A request has no method and no parameters yet: ",
				"ip, principal, path or header('X-Api-Key')",
				Map.of("key", "ip", "cost", "path == '/export' ? 10 : 1", "plan", "@plans.of(principal)", "priority",
						"header('X-Priority')", "zone", "@customers.zoneOf(principal)", "unless", "status < 400",
						"settle", "status < 400 ? 1 : 5"),
				List.of("plan", "priority"), RequestExpressionRoot.PROPERTIES, RequestExpressionRoot.METHODS,
				RequestExpressionRoot.TEXTS);

		static final Kind REMOTE_CALL = new Kind("call", "clients", "peer", "A remote call has no parameters yet: ",
				"metadata('x-api-key'), peer, principal, method or service",
				Map.of("key", "metadata('x-api-key')", "plan", "@customers.planOf(principal)", "priority",
						"metadata('x-priority')", "zone", "@customers.zoneOf(principal)", "unless",
						"status == 'NOT_FOUND'", "settle", "status == 'OK' ? 1 : 5"),
				List.of("plan", "priority", "zone"), Set.of("method", "service", "peer", "principal"),
				Set.of("claim", "metadata"), Set.of("method", "service", "peer", "principal", "status", "metadata"));

		/** Requests that this application sends, whose end is not followed. */
		static final Kind OUTGOING = new Kind("outgoing request", "outgoing requests", "host",
				"An outgoing request has no parameters: ", "host, path, method or header('X-Api-Key')",
				Map.of("key", "host", "plan", "@plans.of(host)", "priority", "header('X-Priority')", "zone",
						"@zones.of(host)"),
				List.of(), Set.of("host", "path", "method"), Set.of("header"), Set.of("path", "header"));

		String alone(String attribute, String location) {
			if (isOfEnd(attribute)) {
				return this.unknownName + "write " + attribute + " over the " + this.noun
						+ " and its status, or in the annotations.";
			}
			String example = this.examples.get(attribute);
			boolean isKey = attribute.equals("key");
			return this.unknownName + "write " + (isKey ? location + ".key" : "the " + attribute) + " over the "
					+ this.noun + " alone, " + (isKey ? example + " or the text \"'all'\"" : '"' + example + '"')
					+ " for example" + (this.ofAnnotations.contains(attribute) ? ", or in the annotations." : ".");
		}

		String example(String attribute) {
			if (!attribute.equals("cost") && !isOfEnd(attribute)) {
				return "Write " + this.names + " for example.";
			}
			return "Write " + (attribute.equals("unless") ? "a condition on the status" : "a number of units")
					+ " for example, \"" + this.examples.get(attribute) + "\".";
		}

		private static boolean isOfEnd(String attribute) {
			return attribute.equals("unless") || attribute.equals("settle");
		}

	}

}
