package io.github.ratelimit.interceptor;

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
record RequestScope(RequestKind kind, @Nullable PathVariables variables, boolean hasEnded) implements ExpressionScope {

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
		return this.kind == RequestKind.REMOTE_CALL;
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

	/**
	 * Keep nothing of a remote call, which does not change, except for its status.
	 */
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
		if (this.kind == RequestKind.WEB) {
			return this.hasEnded ? new RequestExpressionRoot.Ended(call, this.variables)
					: new RequestExpressionRoot(call, this.variables);
		}
		return Objects.requireNonNull(isRemote() ? call.context() : call.target());
	}

}
