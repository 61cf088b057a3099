package io.github.ratelimit.interceptor;

import java.util.ArrayList;
import java.util.List;

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

	/**
	 * Leave a node to SpEL.
	 */
	CallExpression spel(SpelNode node) {
		SpelExpression expression = new SpelExpression(node.toStringAST(), (SpelNodeImpl) node, this.configuration);
		return (call) -> expression.getValue(new CallEvaluationContext(this.scope.root(call), this.scope.parameters(),
				call.arguments(), this.shared));
	}

}
