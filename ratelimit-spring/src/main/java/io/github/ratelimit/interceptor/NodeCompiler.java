package io.github.ratelimit.interceptor;

import java.util.ArrayList;
import java.util.List;

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
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * Compiler of SpEL nodes with the semantics of SpEL, except that a {@link Substitution}
 * also applies outside a web request and, as in newer versions of SpEL, to an empty
 * optional. Literals, parameters, their members, and substitutes ({@code ?:}) are
 * evaluated without SpEL, which describes the type of each value and is far slower.
 * Anything else, and any failure, is left to it.
 */
final class NodeCompiler {

	private final ExpressionScope scope;

	private final SpelParserConfiguration configuration;

	private final StandardEvaluationContext shared = new StandardEvaluationContext();

	NodeCompiler(ExpressionScope scope, SpelParserConfiguration configuration, ExpressionBeans beans) {
		this.scope = scope;
		this.configuration = configuration;
		this.shared.setBeanResolver(beans);
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
		MemberReader ofRoot = MemberReader.of(node);
		return (ofRoot != null) ? path(node, this.scope::root, ofRoot) : spel(node);
	}

	private CallExpression variable(String name) {
		int index = this.scope.parameters().indexOf(name);
		boolean isRoot = index < 0;
		return isRoot ? this.scope::root : (call) -> call.arguments()[index];
	}

	private CallExpression path(SpelNode path) {
		boolean onRoot = !(path.getChild(0) instanceof VariableReference);
		List<MemberReader> members = new ArrayList<>();
		for (int i = onRoot ? 0 : 1; i < path.getChildCount(); i++) {
			MemberReader member = MemberReader.of(path.getChild(i));
			if (member == null) {
				return spel(path);
			}
			members.add(member);
		}
		return path(path, onRoot ? this.scope::root : compile(path.getChild(0)), members.toArray(MemberReader[]::new));
	}

	private CallExpression path(SpelNode path, CallExpression first, MemberReader... members) {
		CallExpression spel = spel(path);
		return (call) -> {
			Object value = first.evaluate(call);
			for (MemberReader member : members) {
				value = member.read(value);
				if (value == MemberReader.UNKNOWN) {
					return spel.evaluate(call);
				}
			}
			return value;
		};
	}

	CallExpression spel(SpelNode node) {
		SpelExpression expression = new SpelExpression(node.toStringAST(), (SpelNodeImpl) node, this.configuration);
		return (call) -> expression.getValue(new CallEvaluationContext(this.scope.root(call), this.scope.parameters(),
				call.arguments(), this.shared));
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
	private record CallEvaluationContext(Object root, Parameters parameters, @Nullable Object[] arguments,
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
