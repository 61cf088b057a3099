package io.github.ratelimit.interceptor;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.StringLiteral;

/**
 * Names that other APIs use for the parts of a web request, and what expressions call
 * them.
 */
final class RequestSynonym {

	private static final String OF_EXCHANGE = "ip, path, header('name') or param('name')";

	private static final Map<String, String> OF_REQUEST = Map.of("request", OF_EXCHANGE, "exchange", OF_EXCHANGE,
			"authentication", "principal or claim('name')", "jwt", "claim('name')", "oidcuser", "claim('name')");

	private static final Map<String, String> PROPERTIES = synonyms(
			"ip: ip remoteaddr remoteaddress remotehost peer clientip",
			"principal: principal userprincipal remoteuser username name subject",
			"path: path requesturi requesturl servletpath uri url");

	private static final Map<String, String> METHODS = synonyms("header: header headers metadata",
			"param: parameter parameters parametermap queryparam queryparams requestparam", "cookie: cookies",
			"claim: claims claimasstring attributes attribute tokenattributes", "pathVariable: pathvar pathvariables");

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
	 * Return what to write instead of a path that begins with the request or its user.
	 * @param path the nodes of the path, behind its first name
	 */
	static String ofRequest(String name, SpelNode... path) {
		for (int i = 0; i < path.length; i++) {
			String instead = instead(path[i], (i + 1 < path.length) ? path[i + 1] : null);
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
