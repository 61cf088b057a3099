package io.github.ratelimit.interceptor;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import io.github.ratelimit.engine.NearestName;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * Checker that finds unknown names in an expression.
 */
final class ExpressionChecker {

	private final Parameters parameters;

	private final Set<String> properties;

	ExpressionChecker(ExpressionScope scope) {
		this.parameters = scope.parameters();
		this.properties = scope.properties();
	}

	/**
	 * Check an expression and all its parts.
	 * @throws UnknownNameException if it uses a name that does not exist
	 * @throws RefusedExpressionException if it assigns a value
	 */
	void check(SpelNode node) {
		check(node, true);
	}

	private void check(SpelNode node, boolean onRoot) {
		if (node instanceof Assign) {
			throw new RefusedExpressionException("assigns a value instead of comparing",
					"Write \"" + node.getChild(0).toStringAST() + " == " + node.getChild(1).toStringAST() + "\".");
		}
		if (node instanceof VariableReference) {
			checkVariable(node.toStringAST().substring(1));
		}
		else if (node instanceof FunctionReference) {
			String name = node.toStringAST().replaceAll("\\(.*", "");
			throw unknown("function", name, RequestExpressionRoot.METHODS.contains(name.substring(1))
					? "Write " + node.toStringAST().substring(1) + ", without #." : "");
		}
		else if (onRoot && node instanceof PropertyOrFieldReference property) {
			checkProperty(property.getName());
		}
		else if (onRoot && node instanceof MethodReference method
				&& !RequestExpressionRoot.METHODS.contains(method.getName())) {
			throw unknown("method", method.getName() + "()", hint(method));
		}
		else if (onRoot && node instanceof MethodReference method) {
			checkQuoted(method);
		}
		boolean otherRoot = node instanceof Selection || node instanceof Projection || node instanceof Indexer
				|| node instanceof InlineMap;
		for (int i = 0; i < node.getChildCount(); i++) {
			boolean behindDot = node instanceof CompoundExpression && i > 0;
			SpelNode child = node.getChild(i);
			if (behindDot && isPrincipal(node, i - 1, onRoot)) {
				checkPrincipal(child);
			}
			if (behindDot && i == 1 && child instanceof PropertyOrFieldReference property
					&& isRoot(node.getChild(0), onRoot)) {
				checkProperty(property.getName());
			}
			else if (behindDot
					&& !(child instanceof Selection || child instanceof Projection || child instanceof Indexer)) {
				checkArguments(child);
			}
			else {
				check(child, onRoot && !otherRoot);
			}
		}
	}

	private static boolean isRoot(SpelNode node, boolean onRoot) {
		String text = node.toStringAST();
		return text.equals("#root") || (onRoot && text.equals("#this"));
	}

	private static boolean isPrincipal(SpelNode path, int index, boolean onRoot) {
		return path.getChild(index) instanceof PropertyOrFieldReference property
				&& property.getName().equals("principal")
				&& ((index == 0) ? onRoot : index == 1 && isRoot(path.getChild(0), onRoot));
	}

	private void checkPrincipal(SpelNode member) {
		boolean isName = (member instanceof PropertyOrFieldReference property) ? property.getName().equals("name")
				: member instanceof MethodReference method && method.getName().equals("getName");
		if (isName) {
			throw unknown("property", "'principal.name'", "principal is the name already: write principal.");
		}
	}

	private void checkArguments(SpelNode node) {
		for (int i = 0; i < node.getChildCount(); i++) {
			check(node.getChild(i), true);
		}
	}

	/**
	 * Without quotes, the name of a header is a property, or a difference of properties.
	 */
	private void checkQuoted(MethodReference method) {
		String name = withoutQuotes(method);
		if (name != null && !this.properties.contains(name) && this.parameters.indexOf(name) < 0) {
			throw unknown("property", "'" + name + "'", "Write " + method.getName() + "('" + name + "').");
		}
	}

	private static @Nullable String withoutQuotes(MethodReference method) {
		if (method.getChildCount() != 1) {
			return null;
		}
		String argument = method.getChild(0).toStringAST().replaceAll("[() ]", "");
		return argument.matches("[A-Za-z_][\\w-]*") ? argument : null;
	}

	private static String hint(MethodReference method) {
		return NearestName.of(method.getName(), RequestExpressionRoot.METHODS)
			.map((name) -> "Write " + name + arguments(method) + '.')
			.orElse("To call a bean, write @bean." + method.getName() + "().");
	}

	private static String arguments(MethodReference method) {
		if (method.getChildCount() != 1) {
			return "('name')";
		}
		String name = withoutQuotes(method);
		return (name != null) ? "('" + name + "')" : method.toStringAST().substring(method.getName().length());
	}

	private void checkVariable(String name) {
		if (!name.equals("root") && !name.equals("this") && this.parameters.indexOf(name) < 0) {
			throw unknown("variable", "'" + name + "'", hintForVariable(name));
		}
	}

	private String hintForVariable(String name) {
		if (name.equals(EndedMethodScope.RESULT) || name.equals(EndedMethodScope.ERROR)) {
			return this.properties.contains(EndedRequestExpressionRoot.STATUS) ? "For a request, write status."
					: "It is available only in unless and settle of annotated methods.";
		}
		if (!this.properties.contains(name) && !this.parameters.namesAreKnown()) {
			return "The names of the parameters are not in the class file: compile with -parameters, "
					+ "or write #a0 for the first one.";
		}
		return parameter(name).map((known) -> "Write " + known + '.')
			.or(() -> NearestName.of(name, this.properties).map((known) -> "Write " + known + ", without #."))
			.orElse("");
	}

	private Optional<String> parameter(String name) {
		return this.properties.contains(name) ? Optional.empty()
				: NearestName.of(name, this.parameters.names()).map((known) -> '#' + known);
	}

	private void checkProperty(String name) {
		if (!this.properties.contains(name)) {
			throw unknown("property", "'" + name + "'", hintForProperty(name));
		}
	}

	private String hintForProperty(String name) {
		if (name.equals(EndedRequestExpressionRoot.STATUS) && this.parameters.indexOf(name) < 0) {
			String instead = (this.parameters.indexOf(EndedMethodScope.ERROR) < 0) ? ""
					: " Write #error == null, or use #result.";
			return "It is available only in ratelimit.web.requests[n].unless." + instead;
		}
		if (this.parameters.indexOf(name) >= 0) {
			return "For the parameter, write #" + name + ".";
		}
		return NearestName.of(name, this.properties)
			.map((known) -> "Write " + known + '.')
			.or(() -> parameter(name).map((known) -> "For the parameter, write " + known + '.'))
			.or(() -> NearestName.of(name, RequestExpressionRoot.METHODS)
				.map((known) -> "Write " + known + "('name')."))
			.orElse("");
	}

	private UnknownNameException unknown(String kind, String name, String hint) {
		return new UnknownNameException(kind, name, this.parameters.names(), this.properties, hint);
	}

	/**
	 * Failure of an expression with an unknown name.
	 */
	static final class UnknownNameException extends RefusedExpressionException {

		private static final long serialVersionUID = 1L;

		UnknownNameException(String kind, String name, List<String> parameters, Set<String> properties, String hint) {
			super("uses the unknown " + kind + ' ' + name + ". Known: " + known(parameters, properties), hint);
		}

		private static String known(List<String> parameters, Set<String> properties) {
			Set<String> variables = new TreeSet<>();
			parameters.forEach((name) -> variables.add('#' + name));
			return (variables.isEmpty() ? "" : String.join(", ", variables) + ", ")
					+ String.join(", ", new TreeSet<>(properties)) + ", header('name')";
		}

	}

}
