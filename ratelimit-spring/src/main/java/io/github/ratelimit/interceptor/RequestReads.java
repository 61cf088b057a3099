package io.github.ratelimit.interceptor;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;

/**
 * Parts of a web request that an expression reads.
 */
final class RequestReads {

	private final Function<SpelNode, CallExpression> compiler;

	private final List<CallExpression> reads = new ArrayList<>();

	private RequestReads(Function<SpelNode, CallExpression> compiler) {
		this.compiler = compiler;
	}

	/**
	 * Return the parts of an expression, each as an expression of its own.
	 */
	static List<CallExpression> of(SpelNode node, Function<SpelNode, CallExpression> compiler) {
		RequestReads reads = new RequestReads(compiler);
		reads.collect(node, true);
		return reads.reads;
	}

	private void collect(SpelNode node, boolean onRoot) {
		if (onRoot && isRead(node)) {
			this.reads.add(this.compiler.apply(node));
		}
		for (int i = 0; i < node.getChildCount(); i++) {
			boolean isMember = node instanceof CompoundExpression && i > 0;
			collect(node.getChild(i), !isMember || (i == 1 && isRoot(node.getChild(0))));
		}
	}

	private static boolean isRoot(SpelNode node) {
		String text = node.toStringAST();
		return text.equals("#root") || text.equals("#this");
	}

	private static boolean isRead(SpelNode node) {
		return (node instanceof PropertyOrFieldReference property)
				? RequestExpressionRoot.PROPERTIES.contains(property.getName())
				: node instanceof MethodReference method && RequestExpressionRoot.METHODS.contains(method.getName());
	}

}
