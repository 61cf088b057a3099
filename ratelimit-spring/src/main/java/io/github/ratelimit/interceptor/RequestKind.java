package io.github.ratelimit.interceptor;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Kind of requests to which properties apply rules: what their expressions read, and the
 * words of messages about them.
 *
 * @param noun such a request
 * @param callers who shares a counter without a key
 * @param exampleKey a key
 * @param unknownName why a name of the rule's other calls is unknown
 * @param names what an expression may read, for example
 * @param examples an expression of each attribute
 * @param ofAnnotations the attributes that annotations may have instead
 * @param properties the properties
 * @param methods the methods, which have one argument, a name
 * @param texts the properties and methods that are texts
 */
record RequestKind(String noun, String callers, String exampleKey, String unknownName, String names,
		Map<String, String> examples, List<String> ofAnnotations, Set<String> properties, Set<String> methods,
		Set<String> texts) {

	static final RequestKind WEB = new RequestKind("request", "clients", "ip",
			"A request has no method and no parameters yet: ", "ip, principal, path or header('X-Api-Key')",
			Map.of("key", "ip", "cost", "path == '/export' ? 10 : 1", "plan", "@plans.of(principal)", "priority",
					"header('X-Priority')", "zone", "@customers.zoneOf(principal)", "unless", "status < 400", "settle",
					"status < 400 ? 1 : 5"),
			List.of("plan", "priority"), RequestExpressionRoot.PROPERTIES, RequestExpressionRoot.METHODS,
			RequestExpressionRoot.TEXTS);

	static final RequestKind REMOTE_CALL = new RequestKind("call", "clients", "peer",
			"A remote call has no parameters yet: ", "metadata('x-api-key'), peer, principal, method or service",
			Map.of("key", "metadata('x-api-key')", "plan", "@customers.planOf(principal)", "priority",
					"metadata('x-priority')", "zone", "@customers.zoneOf(principal)", "unless", "status == 'NOT_FOUND'",
					"settle", "status == 'OK' ? 1 : 5"),
			List.of("plan", "priority", "zone"), Set.of("method", "service", "peer", "principal"),
			Set.of("claim", "metadata"), Set.of("method", "service", "peer", "principal", "status", "metadata"));

	/**
	 * Requests that this application sends, whose end is not followed.
	 */
	static final RequestKind OUTGOING = new RequestKind("outgoing request", "outgoing requests", "host",
			"An outgoing request has no parameters: ", "host, path, method or header('X-Api-Key')",
			Map.of("key", "host", "plan", "@plans.of(host)", "priority", "header('X-Priority')", "zone",
					"@zones.of(host)"),
			List.of(), Set.of("host", "path", "method"), Set.of("header"), Set.of("path", "header"));

	String alone(String attribute, String location) {
		if (isOfEnd(attribute)) {
			return this.unknownName + "write " + attribute + " over the " + this.noun
					+ " and its status, or in the annotations.";
		}
		String example = this.examples.get(attribute);
		boolean isKey = attribute.equals("key");
		return this.unknownName + "write " + (isKey ? location + ".key" : "the " + attribute) + " over the " + this.noun
				+ " alone, " + (isKey ? example : '"' + example + '"') + " for example"
				+ (this.ofAnnotations.contains(attribute) ? ", or in the annotations." : ".");
	}

	String example(String attribute) {
		if (!attribute.equals("cost") && !isOfEnd(attribute)) {
			return "Write " + this.names + " for example.";
		}
		return "Write " + (attribute.equals("unless") ? "a condition on the status" : "a number of units")
				+ " for example, \"" + this.examples.get(attribute) + "\".";
	}

	private static boolean isOfEnd(String attribute) {
		return attribute.equals("unless") || attribute.equals("settle");
	}

}
