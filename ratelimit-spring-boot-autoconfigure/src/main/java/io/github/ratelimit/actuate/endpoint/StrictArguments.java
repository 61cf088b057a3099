package io.github.ratelimit.actuate.endpoint;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.github.ratelimit.engine.NearestName;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameter;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;

/**
 * Strict check of the arguments of the endpoint. An unknown name in the query or the JSON
 * is refused instead of ignored: with a mistyped {@code key}, the override of the whole
 * rule would be removed. So is a name that the query repeats; of one in the query and the
 * JSON, Spring Boot reads that in the query. The path is read from the path only. A name
 * without a value is present, also in WebFlux.
 *
 * @since 0.1.0
 */
public final class StrictArguments implements OperationInvokerAdvisor {

	/** Name that stands for a body that is no JSON object. */
	public static final String NO_OBJECT = "(no object)";

	/**
	 * Suffix of a name whose value is no text. The value says what it is instead:
	 * {@code a list} or {@code an object}.
	 */
	public static final String NO_TEXT = " (no text)";

	private static final EndpointId RATELIMITS = EndpointId.of("ratelimits");

	@Override
	public OperationInvoker apply(EndpointId endpoint, OperationType type, OperationParameters parameters,
			OperationInvoker invoker) {
		if (!endpoint.equals(RATELIMITS)) {
			return invoker;
		}
		Set<String> known = new TreeSet<>();
		Set<String> paths = new TreeSet<>();
		for (OperationParameter parameter : parameters) {
			if (parameter.getType() != SecurityContext.class) {
				((parameter.getType() == String[].class) ? paths : known).add(parameter.getName());
			}
		}
		return (context) -> invoke(known, paths, context, invoker, type);
	}

	private static String unknown(String argument, @Nullable Object value, Set<String> known) {
		String name = argument.endsWith(NO_TEXT) ? argument.substring(0, argument.length() - NO_TEXT.length())
				: argument;
		if (known.contains(name)) {
			return "\"" + name + "\" cannot be " + value + ". Write "
					+ (name.equals("headers") ? "{\"headers\": {\"X-Api-Key\": \"k\"}} for example." : "one value.");
		}
		boolean isOfRequest = known.contains("remoteAddress");
		if (name.equals(NO_OBJECT) && !isOfRequest) {
			return "The body is not a JSON object of 256 KB at most. Write {\"max\": 10} for example.";
		}
		if ((name.equals(NO_OBJECT) || name.equals("request")) && isOfRequest) {
			return "\"request\" is not an object in a body of 256 KB at most. "
					+ "Write {\"request\": {\"method\": \"POST\", \"path\": \"/api/replies\"}} for example.";
		}
		Set<String> names = new TreeSet<>(known);
		if (isOfRequest) {
			names.add("request");
		}
		return "\"" + name + "\" is unknown." + NearestName.suggestion(name, names) + " Known here: "
				+ String.join(", ", known) + '.' + (known.equals(Set.of("changes"))
						? " Others belong to a rule: /actuator/ratelimits/{rule}?key=acme for example." : "");
	}

	private static Object invoke(Set<String> known, Set<String> paths, InvocationContext context,
			OperationInvoker invoker, OperationType type) {
		Map<String, Object> arguments = new LinkedHashMap<>();
		for (Map.Entry<String, Object> argument : context.getArguments().entrySet()) {
			String name = argument.getKey();
			Object value = argument.getValue();
			boolean isPath = paths.contains(name) && value instanceof String[];
			if (!isPath && !known.contains(name)) {
				return Problem.BAD_REQUEST.because(unknown(name, value, known));
			}
			if (value instanceof Collection<?> values) {
				return Problem.BAD_REQUEST
					.because("\"" + name + "\" is given " + values.size() + " times. Write it once.");
			}
			// without a key the whole rule would change, so null is not absence
			boolean isNeeded = type != OperationType.WRITE || name.equals("key");
			arguments.put(name, (value == null && isNeeded) ? "" : value);
		}
		SecurityContext security = context.resolveArgument(SecurityContext.class);
		return invoker.invoke(new InvocationContext((security != null) ? security : SecurityContext.NONE, arguments));
	}

}
