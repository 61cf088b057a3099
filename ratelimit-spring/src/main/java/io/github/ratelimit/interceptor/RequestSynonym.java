package io.github.ratelimit.interceptor;

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

	private static final Map<String, String> OF_REQUEST = Map.of("request", "ip, path, header('name') or param('name')",
			"exchange", "ip, path, header('name') or param('name')", "authentication", "principal or claim('name')",
			"jwt", "claim('name')", "oidcuser", "claim('name')");

	private static final Map<String, String> PROPERTIES = Map.ofEntries(Map.entry("ip", "ip"),
			Map.entry("remoteaddr", "ip"), Map.entry("remoteaddress", "ip"), Map.entry("remotehost", "ip"),
			Map.entry("peer", "ip"), Map.entry("clientip", "ip"), Map.entry("userprincipal", "principal"),
			Map.entry("remoteuser", "principal"), Map.entry("username", "principal"), Map.entry("name", "principal"),
			Map.entry("subject", "principal"), Map.entry("principal", "principal"), Map.entry("requesturi", "path"),
			Map.entry("requesturl", "path"), Map.entry("servletpath", "path"), Map.entry("uri", "path"),
			Map.entry("url", "path"), Map.entry("path", "path"));

	private static final Map<String, String> METHODS = Map.ofEntries(Map.entry("header", "header"),
			Map.entry("headers", "header"), Map.entry("metadata", "header"), Map.entry("parameter", "param"),
			Map.entry("parameters", "param"), Map.entry("parametermap", "param"), Map.entry("queryparam", "param"),
			Map.entry("queryparams", "param"), Map.entry("requestparam", "param"), Map.entry("cookies", "cookie"),
			Map.entry("claims", "claim"), Map.entry("claimasstring", "claim"), Map.entry("attributes", "claim"),
			Map.entry("attribute", "claim"), Map.entry("tokenattributes", "claim"),
			Map.entry("pathvar", "pathVariable"), Map.entry("pathvariables", "pathVariable"));

	private RequestSynonym() {
	}

	/**
	 * Return whether a name stands for the request or its user in other APIs.
	 */
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
