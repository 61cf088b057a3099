package io.github.ratelimit.interceptor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.NullLiteral;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.Ternary;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * Expression that clients determine in part, and the parts of a web request that it
 * reads: the address, headers, parameters, cookies, path variables, the principal and its
 * claims, and parameters of a handler method that are read from the request. A part with
 * a substitute ({@code header('X-Tenant') ?: ip}, {@code #tenant.orElse('')}) is not
 * needed, only the substitute is.
 */
record RequestParts(CallExpression value, ExpressionScope scope, Function<SpelNode, CallExpression> compiler,
		List<Part> parts) implements CallExpression {

	private static final String PATH_VARIABLE = "path variable";

	private static final Object UNKNOWN = new Object();

	private static final Map<String, String> KINDS = Map.of("header", "header", "param", "parameter", "cookie",
			"cookie", "claim", "claim", "pathVariable", PATH_VARIABLE, "metadata", "metadata");

	private static final Set<String> ALWAYS_PRESENT = Set.of("ip", "peer");

	/** Paths that begin so continue as an expression of their own. */
	private static final Set<String> ROOTS = Set.of("#root", "#this");

	private static final Set<String> PROPERTIES = Set.of("ip", "peer", "principal");

	RequestParts(CallExpression value, SpelNode node, ExpressionScope scope,
			Function<SpelNode, CallExpression> compiler) {
		this(value, scope, compiler, new ArrayList<>());
		collect(node, true);
	}

	private void collect(SpelNode node, boolean isNeeded) {
		if (node instanceof Elvis) {
			CallExpression known = this.compiler.apply(node.getChild(0));
			collect(node.getChild(0), false);
			collect(node.getChild(1), isNeeded, (call) -> !hasValue(held(known, call)));
			return;
		}
		if (node instanceof Ternary) {
			CallExpression condition = this.compiler.apply(node.getChild(0));
			collect(node.getChild(1), isNeeded, (call) -> mayBe(true, condition, call));
			collect(node.getChild(2), isNeeded, (call) -> mayBe(false, condition, call));
			return;
		}
		if (node instanceof Projection || node instanceof Selection) {
			return;
		}
		boolean path = node instanceof CompoundExpression;
		int first = (path && ROOTS.contains(node.getChild(0).toStringAST())) ? 1 : 0;
		boolean hasSubstitute = path && isSubstituted(node, node.getChildCount());
		boolean isChildNeeded = isNeeded && !(path && isSubstituted(node, Math.min(first + 2, node.getChildCount())));
		collectChildren(node, first, path ? first + 1 : node.getChildCount(), isChildNeeded);
		for (int i = first + 1; path && i < node.getChildCount(); i++) {
			SpelNode member = node.getChild(i);
			if (member instanceof MethodReference || member instanceof Indexer) {
				collectChildren(member, 0, member.getChildCount(), isNeeded);
			}
		}
		String name = nameOf(node);
		if (name != null) {
			this.parts.add(new Part(name, isNeeded && !hasSubstitute, position(node), this.compiler.apply(node),
					(call) -> true));
		}
	}

	private void collectChildren(SpelNode node, int from, int to, boolean isNeeded) {
		for (int i = from; i < to; i++) {
			if (!isKey(node, i)) {
				collect(node.getChild(i), isNeeded);
			}
		}
	}

	/** Return whether a child is a name that stands for itself. */
	private static boolean isKey(SpelNode node, int child) {
		return node.getChild(child) instanceof PropertyOrFieldReference
				&& (node instanceof Indexer || (node instanceof InlineMap && child % 2 == 0));
	}

	/** Collect parts that only some calls read, and others need not have. */
	private void collect(SpelNode node, boolean isNeeded, Predicate<Call> reads) {
		int from = this.parts.size();
		collect(node, isNeeded);
		this.parts.subList(from, this.parts.size()).replaceAll((part) -> part.of(reads));
	}

	private static boolean mayBe(boolean value, CallExpression condition, Call call) {
		try {
			return ConditionValue.of(condition.evaluate(call)) == value;
		}
		catch (RuntimeException ex) {
			return true;
		}
	}

	private static boolean hasValue(@Nullable Object held) {
		return held != null && held != UNKNOWN && !held.equals("");
	}

	private static @Nullable Object held(CallExpression value, Call call) {
		try {
			return KeyText.held(value.evaluate(call));
		}
		catch (RuntimeException ex) {
			return UNKNOWN;
		}
	}

	/**
	 * Return whether an {@link java.util.Optional} has a substitute in the first elements
	 * of a path.
	 */
	static boolean isSubstituted(SpelNode path, int elements) {
		return IntStream.range(1, elements)
			.mapToObj(path::getChild)
			.anyMatch((element) -> element instanceof MethodReference method && method.getName().equals("orElse")
					&& method.getChildCount() == 1 && !(method.getChild(0) instanceof NullLiteral));
	}

	private @Nullable String nameOf(SpelNode node) {
		if (node instanceof MethodReference method && KINDS.containsKey(method.getName())
				&& method.getChildCount() == 1) {
			String kind = KINDS.get(method.getName());
			return (method.getChild(0) instanceof StringLiteral name) ? kind + ' ' + name.getLiteralValue().getValue()
					: kind;
		}
		if (node instanceof PropertyOrFieldReference property && PROPERTIES.contains(property.getName())) {
			return property.getName();
		}
		if (node instanceof CompoundExpression && node.getChild(0) instanceof VariableReference variable) {
			return (partOf(variable) != null) ? node.toStringAST().substring(1) : null;
		}
		return (node instanceof VariableReference variable) ? partOf(variable) : null;
	}

	private @Nullable String partOf(VariableReference variable) {
		return this.scope.parameters().part(position(variable));
	}

	private int position(SpelNode node) {
		return (node instanceof VariableReference) ? this.scope.parameters().indexOf(node.toStringAST().substring(1))
				: -1;
	}

	@Override
	public @Nullable Object evaluate(Call call) {
		return KeyText.held(this.value.evaluate(call));
	}

	@Override
	public @Nullable String missingPart(Call call) {
		if (call.context() != null) {
			for (Part part : this.parts) {
				String missing = part.missing(call);
				if (missing != null) {
					return missing;
				}
			}
		}
		return null;
	}

	@Override
	public @Nullable String partWith(Object known, Call call) {
		return (call.context() == null) ? null
				: this.parts.stream()
					.filter((part) -> known.equals(part.held(call)))
					.map(Part::name)
					.findFirst()
					.orElse(null);
	}

	/**
	 * Return the names of the parts that a client may leave out: not its address, nor
	 * variables in the path, without which no handler is found, nor required parameters
	 * of the handler.
	 */
	@Override
	public List<String> needs() {
		return this.parts.stream()
			.filter((part) -> part.isNeeded() && !this.scope.parameters().isRequired(part.parameter()))
			.map(Part::name)
			.filter((name) -> !ALWAYS_PRESENT.contains(name) && !name.startsWith(PATH_VARIABLE))
			.toList();
	}

	/**
	 * Part that an expression reads.
	 *
	 * @param reads whether the expression reads the part for a call
	 */
	private record Part(String name, boolean isNeeded, int parameter, CallExpression value, Predicate<Call> reads) {

		Part of(Predicate<Call> calls) {
			return new Part(this.name, this.isNeeded, this.parameter, this.value, calls.and(this.reads));
		}

		@Nullable String missing(Call call) {
			if (!this.isNeeded || !this.reads.test(call)) {
				return null;
			}
			Object held = held(call);
			if (held == null) {
				return this.name;
			}
			return KeyText.OwnText.containsNull(held) ? this.name + " without null" : null;
		}

		@Nullable Object held(Call call) {
			return RequestParts.held(this.value, call);
		}

	}

}
