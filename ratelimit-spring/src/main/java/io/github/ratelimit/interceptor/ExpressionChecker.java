package io.github.ratelimit.interceptor;

import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import io.github.ratelimit.engine.NearestName;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpDec;
import org.springframework.expression.spel.ast.OpInc;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.util.ClassUtils;

/** Checker that finds unknown names in an expression. */
record ExpressionChecker(ExpressionScope scope, ExpressionBeans beans) {

	void check(SpelNode node) {
		check(node, true, false);
	}

	/**
	 * Check a node.
	 * @param onRoot whether names without an owner are those of the root
	 * @param inElement whether arguments of methods are names of an element, as in a
	 * selection or a projection
	 */
	private void check(SpelNode node, boolean onRoot, boolean inElement) {
		if (node instanceof Assign) {
			throw new RefusedExpressionException("assigns a value instead of comparing",
					"Write \"" + node.getChild(0).toStringAST() + " == " + node.getChild(1).toStringAST() + "\".");
		}
		if (node instanceof OpInc || node instanceof OpDec) {
			throw new RefusedExpressionException("changes a value, which is that of the caller",
					"Write \"" + node.getChild(0).toStringAST() + ((node instanceof OpInc) ? " + 1\"." : " - 1\"."));
		}
		if (node instanceof CompoundExpression) {
			checkSynonym(node, onRoot);
		}
		if (node instanceof VariableReference) {
			checkVariable(node.toStringAST().substring(1));
		}
		else if (node instanceof FunctionReference) {
			String name = node.toStringAST().replaceAll("\\(.*", "");
			throw unknown("function", name, this.scope.methods().contains(name.substring(1))
					? "Write " + node.toStringAST().substring(1) + ", without #." : "");
		}
		else if (node instanceof BeanReference) {
			checkBean(beanName(node));
		}
		else if (onRoot && node instanceof PropertyOrFieldReference property) {
			checkProperty(property);
		}
		else if (onRoot && node instanceof MethodReference method) {
			checkMethod(method);
		}
		if (onRoot) {
			this.scope.check(node);
		}
		checkChildren(node, onRoot, inElement);
	}

	private void checkChildren(SpelNode node, boolean onRoot, boolean inElement) {
		boolean path = node instanceof CompoundExpression;
		boolean ofElements = node instanceof Selection || node instanceof Projection;
		boolean otherRoot = ofElements || node instanceof Indexer;
		for (int i = 0; i < node.getChildCount(); i++) {
			SpelNode child = node.getChild(i);
			boolean isMember = child instanceof PropertyOrFieldReference || child instanceof MethodReference;
			if (path && i == 1 && isMember && isRoot(node.getChild(0), onRoot)) {
				check(child, true, inElement);
			}
			else if (path && i > 0
					&& !(child instanceof Selection || child instanceof Projection || child instanceof Indexer)) {
				checkArguments(child, inElement);
			}
			else {
				boolean isKey = node instanceof InlineMap && i % 2 == 0;
				check(child, onRoot && !otherRoot && !isKey, inElement || ofElements);
			}
		}
		if (path) {
			checkMember(node, onRoot);
		}
	}

	private static boolean isRoot(SpelNode node, boolean onRoot) {
		String text = node.toStringAST();
		return text.equals("#root") || (onRoot && text.equals("#this"));
	}

	private void checkMember(SpelNode path, boolean onRoot) {
		int index = isRoot(path.getChild(0), onRoot) ? 1 : 0;
		if (path.getChildCount() < index + 2) {
			return;
		}
		SpelNode owner = path.getChild(index);
		SpelNode member = path.getChild(index + 1);
		if (owner instanceof BeanReference) {
			String bean = beanName(owner);
			checkMember("the bean '" + bean + '\'', "the bean", '@' + bean, this.beans.type(bean), member);
		}
		else if (owner instanceof VariableReference) {
			String text = owner.toStringAST();
			checkMember(text, "it", text, finalType(text.substring(1)), member);
		}
		else if ((index == 1 || onRoot) && isText(owner) && !isMemberOfText(member)) {
			throw notOfText(owner, member, (index + 2 < path.getChildCount()) ? path.getChild(index + 2) : null);
		}
	}

	private boolean isText(SpelNode node) {
		return (node instanceof PropertyOrFieldReference property) ? this.scope.isText(property.getName())
				: node instanceof MethodReference method && this.scope.isText(method.getName());
	}

	private static boolean isMemberOfText(SpelNode member) {
		return (member instanceof Indexer) ? !(member.getChild(0) instanceof StringLiteral)
				: MemberReader.has(String.class, member);
	}

	private RefusedExpressionException notOfText(SpelNode owner, SpelNode member, @Nullable SpelNode next) {
		String text = owner.toStringAST();
		if (!text.equals("principal")) {
			return new RefusedExpressionException(
					"uses " + memberText(member) + " of " + text + ", which is a text and has none",
					"Write " + text + ", or a property or method of a text.");
		}
		if (member.toStringAST().matches("name|getName\\(\\)")) {
			return unknown("property", "'principal.name'", "principal is the name already: write principal.");
		}
		String claim = RequestSynonym.instead(member, next);
		return unknown("property", "'principal" + ((member instanceof Indexer) ? "" : ".") + member.toStringAST() + "'",
				"principal is a name. For a claim of the user, write "
						+ ((claim != null && claim.startsWith("claim")) ? claim : "claim('name')") + '.');
	}

	private static String memberText(SpelNode member) {
		return (member instanceof MethodReference) ? "the method " + member.toStringAST()
				: "the property '" + member.toStringAST() + '\'';
	}

	private static String beanName(SpelNode reference) {
		return reference.toStringAST().replaceAll("^@|'", "");
	}

	private void checkBean(String name) {
		if (!this.beans.contain(name)) {
			throw new RefusedExpressionException("uses the bean '" + name + "', which does not exist",
					this.beans.nearest(name)
						.map((nearest) -> "Write @" + nearest + '.')
						.orElse("Write the name of a bean, or define one of this name."));
		}
	}

	/**
	 * Return the class of all values of a parameter, {@code null} if it may have
	 * subclasses.
	 */
	private @Nullable Class<?> finalType(String parameter) {
		Class<?> type = this.scope.parameters().typeOf(parameter);
		boolean isFinal = type != null && Modifier.isFinal(type.getModifiers());
		return isFinal ? ClassUtils.resolvePrimitiveIfNecessary(type) : null;
	}

	private static void checkMember(String owner, String pronoun, String prefix, @Nullable Class<?> type,
			SpelNode member) {
		if (type == null || MemberReader.has(type, member)) {
			return;
		}
		String where = " of " + owner + ", but " + ClassUtils.getUserClass(type).getName() + " has no ";
		if (member instanceof MethodReference method) {
			int arguments = method.getChildCount();
			throw new RefusedExpressionException(
					"calls " + method.getName() + "()" + where + "such public method with " + arguments
							+ ((arguments == 1) ? " argument" : " arguments"),
					"Write a method that " + pronoun + " has"
							+ NearestName.of(method.getName(), MemberReader.methods(type))
								.map((name) -> ", " + prefix + '.' + name + "() for example.")
								.orElse("."));
		}
		throw new RefusedExpressionException(
				"uses the property '" + member.toStringAST() + '\'' + where + "public method or field for it",
				"Write a property or a method that " + pronoun + " has.");
	}

	private void checkArguments(SpelNode node, boolean inElement) {
		for (int i = 0; i < node.getChildCount(); i++) {
			check(node.getChild(i), !inElement, inElement);
		}
	}

	/**
	 * Refuse the request or its user in the names of other APIs, as in
	 * {@code #request.remoteAddr}.
	 */
	private void checkSynonym(SpelNode path, boolean onRoot) {
		String first = path.getChild(0).toStringAST();
		String name = first.startsWith("#") ? first.substring(1) : first;
		if (!RequestSynonym.isRequest(name) || !this.scope.methods().contains("param")
				|| this.scope.parameters().indexOf(name) >= 0) {
			return;
		}
		String remedy = "Write " + RequestSynonym.ofRequest(name, path) + '.';
		if (path.getChild(0) instanceof VariableReference) {
			throw unknown("variable", "'" + name + "'", remedy);
		}
		if (onRoot && path.getChild(0) instanceof PropertyOrFieldReference) {
			throw unknown("property", "'" + name + "'", remedy);
		}
	}

	private void checkMethod(MethodReference method) {
		String name = method.getName();
		if (!this.scope.methods().contains(name)) {
			throw unknown("method", name + "()", hint(method));
		}
		checkQuoted(method);
		if (method.getChildCount() != 1) {
			throw new RefusedExpressionException(
					"calls " + name + "() with " + method.getChildCount() + " arguments instead of one, a name",
					"Write " + name + "('name').");
		}
		if (method.getChild(0) instanceof StringLiteral literal) {
			checkName(name, String.valueOf(literal.getLiteralValue().getValue()));
		}
	}

	private void checkName(String method, String name) {
		if (name.isBlank()) {
			throw new RefusedExpressionException("calls " + method + "() with an empty name, which no request has",
					"Write " + method + "('name').");
		}
		if (method.equals("pathVariable")) {
			checkPathVariable(name);
		}
	}

	private void checkPathVariable(String name) {
		Set<String> known = this.scope.pathVariables(this.beans);
		if (known != null && !known.contains(name)) {
			throw new RefusedExpressionException("uses the path variable '" + name + "', which the path does not have",
					known.isEmpty() ? "Write it into the path, \"/api/{" + name + "}/**\" for example."
							: "Write one of those it has: " + String.join(", ", new TreeSet<>(known)) + '.');
		}
	}

	/**
	 * Without quotes, the name of a header is a property, or a difference of properties.
	 */
	private void checkQuoted(MethodReference method) {
		String name = withoutQuotes(method);
		if (name != null && !this.scope.properties().contains(name) && this.scope.parameters().indexOf(name) < 0) {
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

	private String hint(MethodReference method) {
		String synonym = synonym(method, arguments(method));
		if (synonym != null) {
			return synonym;
		}
		return NearestName.of(method.getName(), this.scope.methods())
			.map((name) -> "Write " + name + arguments(method) + '.')
			.orElse(RequestExpressionRoot.METHODS.contains(method.getName()) ? ""
					: "To call a bean, write @bean." + method.getName() + "().");
	}

	private static String arguments(MethodReference method) {
		if (method.getChildCount() != 1) {
			return "('name')";
		}
		String name = withoutQuotes(method);
		return (name != null) ? "('" + name + "')" : method.toStringAST().substring(method.getName().length());
	}

	private void checkVariable(String name) {
		int index = this.scope.parameters().indexOf(name);
		boolean isOfSpel = name.equals("root") || name.equals("this");
		if (isOfSpel && index >= 0) {
			throw new RefusedExpressionException(
					"uses #" + name + ", which is the root object and not the parameter of this name",
					"Write #a" + index + " for the parameter; members of the root object need no #root.");
		}
		if (!isOfSpel && index < 0) {
			throw unknown("variable", "'" + name + "'", hintForVariable(name));
		}
	}

	private String hintForVariable(String name) {
		if (name.equals(MethodScope.RESULT) || name.equals(MethodScope.ERROR)) {
			return this.scope.properties().contains(RequestExpressionRoot.Ended.STATUS) ? "For a request, write status."
					: "It is available only in unless and settle of annotated methods.";
		}
		if (isStatusOfNone(name)) {
			return hintForStatus();
		}
		if (!this.scope.properties().contains(name) && !this.scope.parameters().namesAreKnown()) {
			return "The names of the parameters are not in the class file: compile with -parameters, "
					+ "or write #a0 for the first one.";
		}
		return parameter(name).map((known) -> "Write " + known + '.')
			.or(() -> NearestName.of(name, this.scope.properties()).map((known) -> "Write " + known + ", without #."))
			.orElse("");
	}

	private Optional<String> parameter(String name) {
		return this.scope.properties().contains(name) ? Optional.empty()
				: NearestName.of(name, this.scope.parameters().names()).map((known) -> '#' + known);
	}

	private @Nullable String synonym(SpelNode node, String arguments) {
		String instead = RequestSynonym.instead(node, null);
		String name = (instead != null) ? this.scope.insteadOf(instead.replaceAll("\\(.*", "")) : "";
		return this.scope.properties().contains(name) ? "Write " + name + '.'
				: this.scope.methods().contains(name) ? "Write " + name + arguments + '.' : null;
	}

	private void checkProperty(PropertyOrFieldReference property) {
		String name = property.getName();
		if (!this.scope.properties().contains(name)) {
			String synonym = (this.scope.parameters().indexOf(name) < 0) ? synonym(property, "('name')") : null;
			throw unknown("property", "'" + name + "'", (synonym != null) ? synonym : hintForProperty(name));
		}
	}

	private String hintForProperty(String name) {
		if (isStatusOfNone(name)) {
			return hintForStatus();
		}
		if (this.scope.parameters().indexOf(name) >= 0) {
			return "For the parameter, write #" + name + ".";
		}
		return NearestName.of(name, this.scope.properties())
			.map((known) -> "Write " + known + '.')
			.or(() -> parameter(name).map((known) -> "For the parameter, write " + known + '.'))
			.or(() -> NearestName.of(name, this.scope.methods()).map((known) -> "Write " + known + "('name')."))
			.orElse("");
	}

	private boolean isStatusOfNone(String name) {
		return name.equals(RequestExpressionRoot.Ended.STATUS) && !this.scope.properties().contains(name)
				&& this.scope.parameters().indexOf(name) < 0;
	}

	private String hintForStatus() {
		return "It is available only in unless of ratelimit.web.requests[n] and ratelimit.grpc.calls[n], and in "
				+ "unless and settle of their rules." + ((this.scope.parameters().indexOf(MethodScope.ERROR) < 0) ? ""
						: " Write #error == null, or use #result.");
	}

	private RefusedExpressionException unknown(String kind, String name, String hint) {
		Set<String> variables = new TreeSet<>();
		this.scope.parameters().names().forEach((parameter) -> variables.add('#' + parameter));
		String known = (variables.isEmpty() ? "" : String.join(", ", variables) + ", ")
				+ String.join(", ", new TreeSet<>(this.scope.properties())) + ", "
				+ String.join("('name'), ", new TreeSet<>(this.scope.methods())) + "('name')";
		return new RefusedExpressionException("uses the unknown " + kind + ' ' + name + ". Known: " + known, hint);
	}

	/**
	 * Names that other APIs use for the parts of a web request, and what expressions call
	 * them.
	 */
	private static final class RequestSynonym {

		private static final String OF_EXCHANGE = "ip, path, header('name') or param('name')";

		private static final Map<String, String> OF_REQUEST = Map.of("request", OF_EXCHANGE, "exchange", OF_EXCHANGE,
				"authentication", "principal or claim('name')", "jwt", "claim('name')", "oidcuser", "claim('name')");

		private static final Map<String, String> PROPERTIES = synonyms(
				"ip: ip remoteaddr remoteaddress remotehost peer clientip",
				"principal: principal userprincipal remoteuser username name subject",
				"path: path requesturi requesturl servletpath uri url");

		private static final Map<String, String> METHODS = synonyms("header: header headers metadata",
				"param: parameter parameters parametermap queryparam queryparams requestparam", "cookie: cookies",
				"claim: claims claimasstring attributes attribute tokenattributes",
				"pathVariable: pathvar pathvariables");

		private RequestSynonym() {
		}

		private static Map<String, String> synonyms(String... lines) {
			Map<String, String> synonyms = new HashMap<>();
			for (String line : lines) {
				String name = line.substring(0, line.indexOf(':'));
				for (String other : line.substring(name.length() + 2).split(" ")) {
					synonyms.put(other, name);
				}
			}
			return synonyms;
		}

		static boolean isRequest(String name) {
			return OF_REQUEST.containsKey(name.toLowerCase(Locale.ROOT));
		}

		/**
		 * Return what to write instead of a path that begins with the request or its
		 * user.
		 */
		static String ofRequest(String name, SpelNode path) {
			for (int i = 1; i < path.getChildCount(); i++) {
				SpelNode next = (i + 1 < path.getChildCount()) ? path.getChild(i + 1) : null;
				String instead = instead(path.getChild(i), next);
				if (instead != null) {
					return instead;
				}
			}
			return OF_REQUEST.get(name.toLowerCase(Locale.ROOT));
		}

		/**
		 * Return what to write instead of a property or a method.
		 * @param next the node behind it, which may contain the name of the part
		 * @return {@code null} if nothing is known
		 */
		static @Nullable String instead(SpelNode node, @Nullable SpelNode next) {
			String name = nameOf(node);
			String property = PROPERTIES.get(name);
			if (property != null && node.getChildCount() == 0) {
				return property;
			}
			String method = METHODS.get(name);
			return (method != null) ? method + "('" + argument(node, next) + "')" : null;
		}

		private static String nameOf(SpelNode node) {
			String name = (node instanceof PropertyOrFieldReference property) ? property.getName()
					: (node instanceof MethodReference method) ? method.getName() : "";
			String lower = name.toLowerCase(Locale.ROOT);
			return (lower.startsWith("get") && lower.length() > 3) ? lower.substring(3) : lower;
		}

		private static String argument(SpelNode node, @Nullable SpelNode next) {
			String own = text(node);
			String ofNext = (next instanceof Indexer || next instanceof MethodReference) ? text(next) : null;
			return (own != null) ? own : (ofNext != null) ? ofNext : "name";
		}

		private static @Nullable String text(SpelNode node) {
			return (node.getChildCount() > 0 && node.getChild(0) instanceof StringLiteral literal)
					? String.valueOf(literal.getLiteralValue().getValue()) : null;
		}

	}

}
