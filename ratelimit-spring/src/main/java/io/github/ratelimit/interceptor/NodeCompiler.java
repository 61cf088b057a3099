package io.github.ratelimit.interceptor;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.expression.BeanResolver;
import org.springframework.expression.ConstructorResolver;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.MethodResolver;
import org.springframework.expression.OperatorOverloader;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypeComparator;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.TypeLocator;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelMessage;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.expression.spel.support.StandardTypeLocator;

/**
 * Compiler of SpEL nodes with the semantics of SpEL, except that a {@link Substitution}
 * also applies outside a web request and, as in newer versions of SpEL, to an empty
 * optional. Literals, parameters, what their methods return, and substitutes ({@code ?:})
 * are evaluated without SpEL, which describes the type of each value and is far slower.
 * Anything else, and any failure, is left to it. In a path it reads a single member, so
 * those before it are not called again.
 */
record NodeCompiler(ExpressionScope scope, SpelParserConfiguration configuration, StandardEvaluationContext shared) {

	NodeCompiler(ExpressionScope scope, SpelParserConfiguration configuration, ExpressionBeans beans) {
		this(scope, configuration, new StandardEvaluationContext());
		this.shared.setBeanResolver(beans);
		this.shared.setTypeLocator(new StandardTypeLocator(beans.classLoader()));
	}

	CallExpression compile(SpelNode node) {
		if (node instanceof Literal literal) {
			Object value = literal.getLiteralValue().getValue();
			return (call) -> value;
		}
		if (node instanceof VariableReference) {
			return variable(node.toStringAST().substring(1));
		}
		if (node instanceof Elvis) {
			return new Substitution(compile(node.getChild(0)), compile(node.getChild(1)));
		}
		if (node instanceof CompoundExpression) {
			return path(node);
		}
		CallExpression ofRoot = member(this.scope::root, node);
		return (ofRoot != null) ? ofRoot : spel(node);
	}

	private CallExpression variable(String name) {
		int index = this.scope.parameters().indexOf(name);
		return (index < 0) ? this.scope::root : (call) -> call.arguments()[index];
	}

	private CallExpression path(SpelNode path) {
		SpelNode first = path.getChild(0);
		boolean onRoot = !(first instanceof VariableReference || first instanceof Elvis);
		CallExpression value = onRoot ? this.scope::root : compile(first);
		for (int i = onRoot ? 0 : 1; value != null && i < path.getChildCount(); i++) {
			value = member(value, path.getChild(i));
		}
		return (value != null) ? value : spel(path);
	}

	CallExpression spel(SpelNode node) {
		SpelExpression expression = expression(node);
		return (call) -> evaluate(expression, this.scope.root(call), call);
	}

	/** Compile a member of an object, {@code null} if SpEL has to evaluate the path. */
	@Nullable CallExpression member(CallExpression object, SpelNode member) {
		MemberReader reader = MemberReader.of(member);
		if (reader == null) {
			return null;
		}
		SpelExpression bySpel = expression(member);
		return (call) -> {
			Object owner = object.evaluate(call);
			Object value = reader.read(owner);
			return (value != MemberReader.UNKNOWN) ? value : evaluate(bySpel, owner, call);
		};
	}

	/** Compile the call of a method with arguments that are evaluated only here. */
	CallExpression method(CallExpression object, MethodReference method, List<CallExpression> arguments) {
		BiFunction<@Nullable Object, @Nullable Object[], @Nullable Object> invocation = operation(arguments.size(),
				(values) -> new MethodReference(method.isNullSafe(), method.getName(), 0, 0, values));
		return (call) -> invocation.apply(object.evaluate(call),
				arguments.stream().map((argument) -> argument.evaluate(call)).toArray());
	}

	/**
	 * Return an operation of SpEL on a root and values that are known.
	 * @param operation creates its node from those of its values
	 */
	BiFunction<@Nullable Object, @Nullable Object[], @Nullable Object> operation(int count,
			Function<SpelNodeImpl[], SpelNodeImpl> operation) {
		String[] names = IntStream.range(0, count).mapToObj((i) -> "a" + i).toArray(String[]::new);
		Parameters values = Parameters.NONE.with(names);
		SpelExpression expression = expression(operation
			.apply(Stream.of(names).map((name) -> new VariableReference(name, 0, 0)).toArray(SpelNodeImpl[]::new)));
		return (root, known) -> expression.getValue(new CallEvaluationContext(root, values, known, this.shared));
	}

	private SpelExpression expression(SpelNode node) {
		return new SpelExpression(node.toStringAST(), (SpelNodeImpl) node, this.configuration);
	}

	private @Nullable Object evaluate(SpelExpression expression, @Nullable Object root, Call call) {
		return expression
			.getValue(new CallEvaluationContext(root, this.scope.parameters(), call.arguments(), this.shared));
	}

	/**
	 * Value with a substitute ({@code ?:}), which applies if the value is null or empty.
	 * An empty optional counts as null, as do values of a web request outside one.
	 */
	record Substitution(CallExpression value, CallExpression substitute) implements CallExpression {

		@Override
		public @Nullable Object evaluate(Call call) {
			Object known = known(call);
			return (known == null || known.equals("")) ? this.substitute.evaluate(call) : known;
		}

		private @Nullable Object known(Call call) {
			try {
				return KeyText.held(this.value.evaluate(call));
			}
			catch (RuntimeException ex) {
				if (call.context() == null && RequestExpressionRoot.RequestAccessException.in(ex) != null) {
					return null;
				}
				throw ex;
			}
		}

	}

	/**
	 * SpEL context of one call: its root and its arguments, which cannot be assigned.
	 * Everything else, including the caches of classes, is shared by all calls.
	 */
	private record CallEvaluationContext(@Nullable Object root, Parameters parameters, @Nullable Object[] arguments,
			EvaluationContext shared) implements EvaluationContext {

		@Override
		public TypedValue getRootObject() {
			return new TypedValue(this.root);
		}

		@Override
		public @Nullable Object lookupVariable(String name) {
			int index = this.parameters.indexOf(name);
			return (index >= 0) ? this.arguments[index] : null;
		}

		@Override
		public void setVariable(String name, @Nullable Object value) {
			throw new SpelEvaluationException(SpelMessage.NOT_ASSIGNABLE, '#' + name);
		}

		@Override
		public List<PropertyAccessor> getPropertyAccessors() {
			return this.shared.getPropertyAccessors();
		}

		@Override
		public List<ConstructorResolver> getConstructorResolvers() {
			return this.shared.getConstructorResolvers();
		}

		@Override
		public List<MethodResolver> getMethodResolvers() {
			return this.shared.getMethodResolvers();
		}

		@Override
		public @Nullable BeanResolver getBeanResolver() {
			return this.shared.getBeanResolver();
		}

		@Override
		public TypeLocator getTypeLocator() {
			return this.shared.getTypeLocator();
		}

		@Override
		public TypeConverter getTypeConverter() {
			return this.shared.getTypeConverter();
		}

		@Override
		public TypeComparator getTypeComparator() {
			return this.shared.getTypeComparator();
		}

		@Override
		public OperatorOverloader getOperatorOverloader() {
			return this.shared.getOperatorOverloader();
		}

	}

}
