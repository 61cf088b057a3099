package io.github.ratelimit.interceptor;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.interceptor.OperationPlace.Written;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.Operator;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.ast.Ternary;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ClassUtils;

/**
 * Compiler of the expressions of one method, or of requests.
 *
 * <p>
 * Keys need their own {@code +}: SpEL's turns null into the text "null", and all callers
 * without a value would share one counter.
 */
final class ExpressionCompiler {

	/**
	 * Without SpEL's own compiler. That keeps the method that fits the first calls, so
	 * the key could change after a hundred of them, and sees public classes only.
	 */
	private static final SpelParserConfiguration CONFIGURATION = new SpelParserConfiguration();

	private final ExpressionScope scope;

	private final ExpressionBeans beans;

	private @Nullable NodeCompiler nodes;

	ExpressionCompiler(ExpressionScope scope, ExpressionBeans beans) {
		this.scope = scope;
		this.beans = beans;
	}

	CallExpression compile(String text) {
		return nodes().compile(parse(text));
	}

	CallExpression compile(String attribute, Written written, RateLimitRule rule, OperationPlace place) {
		String text = written.text();
		try {
			return switch (attribute) {
				case "key" -> compileKey(text);
				case "cost" -> compileCost(text, rule);
				case "condition", "unless" -> compileCondition(text);
				case "settle" -> compileUsedUnits(text);
				default -> compile(text);
			};
		}
		catch (RefusedExpressionException | ConditionValue.NoBooleanException | ParseException ex) {
			throw place.mistake(attribute, written, ex);
		}
	}

	/**
	 * Compile an expression whose concatenations throw {@link KeyText.NoTextException}
	 * instead of appending "null".
	 */
	CallExpression compileKey(String text) {
		PlainKey plain = PlainKey.parse(text, this.scope);
		if (plain != null) {
			return plain;
		}
		SpelNode node = parse(text);
		checkNotQuoted(text, node);
		return withParts(node, compileStrict(node));
	}

	CallExpression compileCondition(String text) {
		SpelNode node = parse(text);
		CallExpression condition = nodes().compile(node);
		if (node instanceof Literal literal) {
			boolean always = ConditionValue.of(literal.getLiteralValue().getValue());
			return (call) -> always;
		}
		return (call) -> ConditionValue.of(condition.evaluate(call));
	}

	/**
	 * Refuse a constant text that begins with #: a variable was meant, and all callers
	 * would share one counter.
	 */
	private static void checkNotQuoted(String text, SpelNode key) {
		if (isConstant(key) && String.valueOf(constant(text, key)).startsWith("#")) {
			throw new RefusedExpressionException("is a text, so all callers would share one counter",
					"Remove the inner quotes: \"" + text.replace("'", "") + "\".");
		}
	}

	CallExpression compileCost(String text, RateLimitRule rule) {
		SpelNode node = parse(text);
		if (isConstant(node)) {
			long units = CostValue.of(constant(text, node));
			CostValue.checkFits(units, rule);
			return (call) -> units;
		}
		return withParts(node, nodes().compile(node));
	}

	private CallExpression withParts(SpelNode node, CallExpression value) {
		return new RequestParts(value, node, this.scope, this::compilePart);
	}

	CallExpression compileUsedUnits(String text) {
		SpelNode node = parse(text);
		if (isConstant(node)) {
			long units = CostValue.used(constant(text, node));
			return (call) -> units;
		}
		CallExpression used = nodes().compile(node);
		return (call) -> CostValue.used(KeyText.held(used.evaluate(call)));
	}

	List<CallExpression> requestReads(String text) {
		List<CallExpression> reads = new ArrayList<>();
		if (this.scope.readsEarly()) {
			collectReads(parse(text), true, reads);
		}
		return reads;
	}

	private void collectReads(SpelNode node, boolean onRoot, List<CallExpression> reads) {
		if (onRoot && isRequestRead(node)) {
			reads.add(nodes().compile(node));
		}
		for (int i = 0; i < node.getChildCount(); i++) {
			boolean isMember = node instanceof CompoundExpression && i > 0;
			boolean isOfRoot = i == 1 && node.getChild(0).toStringAST().matches("#root|#this");
			collectReads(node.getChild(i), !isMember || isOfRoot, reads);
		}
	}

	private static boolean isRequestRead(SpelNode node) {
		return (node instanceof PropertyOrFieldReference property)
				? RequestExpressionRoot.PROPERTIES.contains(property.getName())
				: node instanceof MethodReference method && RequestExpressionRoot.METHODS.contains(method.getName());
	}

	private static boolean isConstant(SpelNode node) {
		return (node instanceof Operator) ? children(node).allMatch(ExpressionCompiler::isConstant)
				: node instanceof Literal;
	}

	private static Stream<SpelNode> children(SpelNode node) {
		return IntStream.range(0, node.getChildCount()).mapToObj(node::getChild);
	}

	private static @Nullable Object constant(String text, SpelNode node) {
		try {
			return new SpelExpression(text, (SpelNodeImpl) node, CONFIGURATION).getValue();
		}
		catch (ArithmeticException | EvaluationException ex) {
			throw new RefusedExpressionException("cannot be evaluated: " + ex.getMessage(), "");
		}
	}

	private NodeCompiler nodes() {
		if (this.nodes == null) {
			this.nodes = new NodeCompiler(this.scope, CONFIGURATION, this.beans);
		}
		return this.nodes;
	}

	private SpelNode parse(String text) {
		if (text.isBlank()) {
			throw new RefusedExpressionException("is empty", "Leave it out, or write an expression.");
		}
		SpelNode node = nodeOf(text);
		new ExpressionChecker(this.scope, this.beans).check(node);
		return node;
	}

	static void verifySyntax(String text, Function<String, RuntimeException> mistake) {
		try {
			nodeOf(text);
		}
		catch (ParseException ex) {
			throw mistake.apply("is not a SpEL expression: " + ex.getSimpleMessage());
		}
		catch (RefusedExpressionException ex) {
			throw mistake.apply(ex.getMessage());
		}
	}

	private static SpelNode nodeOf(String text) {
		try {
			return ((SpelExpression) new SpelExpressionParser(CONFIGURATION).parseExpression(text)).getAST();
		}
		catch (ParseException ex) {
			throw ex;
		}
		catch (RuntimeException ex) { // of a parser that has met the end of a number or
										// an operand too early
			throw new RefusedExpressionException("is no expression: " + ex.getMessage(), "");
		}
	}

	private CallExpression compileStrict(SpelNode node) {
		if (isPlus(node)) {
			return concatenation(node);
		}
		if (node instanceof Elvis) {
			return new NodeCompiler.Substitution(compileStrict(node.getChild(0)), compileStrict(node.getChild(1)));
		}
		if (node instanceof Ternary) {
			CallExpression condition = nodes().compile(node.getChild(0));
			CallExpression whenTrue = compileStrict(node.getChild(1));
			CallExpression whenFalse = compileStrict(node.getChild(2));
			return (call) -> (ConditionValue.of(condition.evaluate(call)) ? whenTrue : whenFalse).evaluate(call);
		}
		if (!containsPlus(node)) {
			return compilePart(node);
		}
		CallExpression invocation = compileInvocation(node);
		return (invocation != null) ? invocation : withPartsChecked(node);
	}

	/**
	 * Compile methods whose arguments contain concatenations, which are evaluated once.
	 * @return {@code null} if other elements contain some
	 */
	private @Nullable CallExpression compileInvocation(SpelNode node) {
		if (node instanceof MethodReference method) {
			return nodes().method(this.scope::root, method, arguments(method));
		}
		CallExpression value = (node instanceof CompoundExpression) ? compileStrictIfPlus(node.getChild(0)) : null;
		for (int i = 1; value != null && i < node.getChildCount(); i++) {
			SpelNode member = node.getChild(i);
			value = (member instanceof MethodReference method && containsPlus(method))
					? nodes().method(value, method, arguments(method)) : nodes().member(value, member);
		}
		return value;
	}

	private List<CallExpression> arguments(SpelNode method) {
		return children(method).map(this::compileStrictIfPlus).toList();
	}

	private CallExpression compileStrictIfPlus(SpelNode node) {
		return containsPlus(node) ? compileStrict(node) : nodes().compile(node);
	}

	private CallExpression compilePart(SpelNode node) {
		return isRequestPart(node) ? notEmpty(node) : nodes().compile(node);
	}

	/**
	 * Return whether a value is a parameter that is read from the request, or a member of
	 * one.
	 */
	private boolean isRequestPart(SpelNode node) {
		SpelNode parameter = parameter(node);
		return parameter instanceof VariableReference && !RequestParts.isSubstituted(node, node.getChildCount())
				&& this.scope.parameters().part(indexOf(parameter)) != null;
	}

	private static SpelNode parameter(SpelNode node) {
		return (node instanceof CompoundExpression) ? node.getChild(0) : node;
	}

	private int indexOf(SpelNode parameter) {
		return this.scope.parameters().indexOf(parameter.toStringAST().substring(1));
	}

	/**
	 * Treat an empty part of a web request as a missing one: all clients that send it
	 * would share a counter. So is an empty field of a form, header or cookie in an
	 * object, but neither an empty text in a body or of a principal, nor what a method
	 * makes of a text.
	 */
	private CallExpression notEmpty(SpelNode node) {
		SpelNode first = parameter(node);
		CallExpression parameter = nodes().compile(first);
		if (first == node) {
			return (call) -> {
				Object value = parameter.evaluate(call);
				return (call.context() != null && "".equals(KeyText.held(value))) ? null : value;
			};
		}
		CallExpression member = nodes().compile(node);
		boolean ofTexts = this.scope.parameters().isOfTexts(indexOf(first));
		return (call) -> (call.context() != null) ? member(parameter, member, ofTexts, call) : member.evaluate(call);
	}

	private static @Nullable Object member(CallExpression parameter, CallExpression member, boolean ofTexts,
			Call call) {
		Object sent = KeyText.held(parameter.evaluate(call));
		if ("".equals(sent)) {
			return null;
		}
		Object value = member.evaluate(call);
		boolean isField = ofTexts && sent != null && !ClassUtils.isSimpleValueType(sent.getClass());
		return (isField && "".equals(KeyText.held(value))) ? null : value;
	}

	/**
	 * Check nested concatenations, as in a list, before SpEL evaluates the whole. They
	 * are evaluated twice.
	 */
	private CallExpression withPartsChecked(SpelNode node) {
		List<CallExpression> parts = new ArrayList<>();
		collectParts(node, parts);
		CallExpression whole = nodes().compile(node);
		return (call) -> {
			parts.forEach((part) -> part.evaluate(call));
			return whole.evaluate(call);
		};
	}

	private void collectParts(SpelNode node, List<CallExpression> parts) {
		children(node).filter((child) -> !isAboutElements(child) && containsPlus(child)).forEach((child) -> {
			if (isPlus(child) || child instanceof Elvis || child instanceof Ternary) {
				parts.add(compileStrict(child));
			}
			else {
				collectParts(child, parts);
			}
		});
	}

	private CallExpression concatenation(SpelNode plus) {
		CallExpression left = compileStrict(plus.getChild(0));
		CallExpression right = compileStrict(plus.getChild(1));
		String leftText = plus.getChild(0).toStringAST();
		String rightText = plus.getChild(1).toStringAST();
		var sum = nodes().operation(2, (values) -> new OpPlus(0, 0, values));
		return (call) -> {
			Object first = notNull(left.evaluate(call), leftText);
			Object second = notNull(right.evaluate(call), rightText);
			boolean text = first instanceof String || second instanceof String;
			return text ? KeyText.of(first, leftText).concat(KeyText.of(second, rightText))
					: sum.apply(null, new Object[] { first, second });
		};
	}

	private static Object notNull(@Nullable Object value, String operand) {
		Object held = KeyText.held(value);
		if (held == null) {
			throw new KeyText.NoTextException(operand);
		}
		return held;
	}

	private static boolean isPlus(SpelNode node) {
		return node instanceof OpPlus && node.getChildCount() == 2;
	}

	private static boolean containsPlus(SpelNode node) {
		return isPlus(node) || children(node).anyMatch((child) -> !isAboutElements(child) && containsPlus(child));
	}

	private static boolean isAboutElements(SpelNode node) {
		return node instanceof Projection || node instanceof Selection;
	}

}
