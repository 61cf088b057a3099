package io.github.ratelimit.interceptor;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

import io.github.ratelimit.engine.NearestName;

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
 * Scope of the expressions of remote procedure calls. The call is its own root object.
 *
 * @param properties the properties of a call
 */
record RemoteCallScope(Set<String> properties) implements ExpressionScope {

	static final RemoteCallScope BEGINNING = new RemoteCallScope(Set.of("method", "service", "peer", "principal"));

	private static final RemoteCallScope ENDED = new RemoteCallScope(
			Set.of("method", "service", "peer", "principal", EndedRequestExpressionRoot.STATUS));

	private static final Set<String> METHODS = Set.of("claim", "metadata");

	private static final Map<String, String> INSTEAD = Map.of("ip", "peer", "header", "metadata");

	private static final Set<String> STATUSES = new TreeSet<>(
			Set.of("ABORTED", "ALREADY_EXISTS", "CANCELLED", "DATA_LOSS", "DEADLINE_EXCEEDED", "FAILED_PRECONDITION",
					"INTERNAL", "INVALID_ARGUMENT", "NOT_FOUND", "OK", "OUT_OF_RANGE", "PERMISSION_DENIED",
					"RESOURCE_EXHAUSTED", "UNAUTHENTICATED", "UNAVAILABLE", "UNIMPLEMENTED", "UNKNOWN"));

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
	public ExpressionScope atEnd() {
		return ENDED;
	}

	@Override
	public Object root(Call call) {
		return Objects.requireNonNull(call.context());
	}

}
