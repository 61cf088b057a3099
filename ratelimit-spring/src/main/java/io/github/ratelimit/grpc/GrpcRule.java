package io.github.ratelimit.grpc;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.engine.NearestName;
import io.github.ratelimit.interceptor.RateLimitOperation;
import io.grpc.MethodDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Rule that applies to gRPC calls by their method.
 *
 * @param service the full name of the service, {@code null} for all services but those of
 * health checks and reflection
 * @param method the name of the method, {@code null} for all
 * @param operation limits such a call
 * @since 0.1.0
 */
public record GrpcRule(@Nullable String service, @Nullable String method, RateLimitOperation operation) {

	private static final Pattern PATTERN = Pattern.compile("([\\w.]+)/(\\*|\\w+)");

	public static GrpcRule of(@Nullable String pattern, RateLimitOperation operation) {
		Matcher names = PATTERN.matcher((pattern != null) ? pattern : "");
		if ("**".equals(pattern)) {
			return new GrpcRule(null, null, operation);
		}
		if (!names.matches()) {
			throw new InvalidAttributeException("method", (pattern != null) ? '"' + pattern + '"' : null,
					(pattern != null) ? "it is neither a method, nor all methods of a service, nor all."
							: "it selects the calls to limit.",
					"Write forum.Replies/Reply for one method, forum.Replies/* for all of a service, or ** for all.");
		}
		return new GrpcRule(names.group(1), names.group(2).equals("*") ? null : names.group(2), operation);
	}

	public void checkApplies(Collection<MethodDescriptor<?, ?>> served) {
		if (served.stream().anyMatch(this::matches)) {
			return;
		}
		if (this.service == null) {
			throw new InvalidAttributeException("method", "\"**\"",
					"the server has only health checks and reflection, which it does not select.",
					"Name their services, `method: grpc.health.v1.Health/*` for example, or remove the entry.");
		}
		Map<String, Set<String>> methods = new TreeMap<>();
		served
			.forEach((each) -> methods.computeIfAbsent(String.valueOf(each.getServiceName()), (name) -> new TreeSet<>())
				.add(String.valueOf(each.getBareMethodName())));
		String written = (this.method != null) ? this.method : "*";
		Set<String> ofService = methods.get(this.service);
		throw (ofService != null)
				? unknown(written, "method", written, ofService, (meant) -> this.service + '/' + meant)
				: unknown(written, "service", this.service, methods.keySet(),
						(meant) -> meant + '/' + method(methods.get(meant)));
	}

	/**
	 * Return the method of a service that was meant: all of them if one is unlike all.
	 */
	private String method(Set<String> known) {
		return (this.method != null) ? NearestName.of(this.method, known).orElse("*") : "*";
	}

	private InvalidAttributeException unknown(String written, String kind, String name, Set<String> known,
			UnaryOperator<String> pattern) {
		Optional<String> meant = known.stream()
			.filter((each) -> each.endsWith('.' + name))
			.findFirst()
			.or(() -> NearestName.of(name, known));
		return new InvalidAttributeException("method", '"' + this.service + '/' + written + '"',
				"the server has no " + kind + ' ' + name + ". Known: " + String.join(", ", known) + '.'
						+ meant.map((each) -> " Did you mean " + each + '?').orElse(""),
				"Write `method: " + pattern.apply(meant.orElseGet(() -> known.iterator().next())) + '`'
						+ (meant.isPresent() ? "." : " for example."));
	}

	boolean matches(MethodDescriptor<?, ?> called) {
		String name = String.valueOf(called.getServiceName());
		return (this.service != null)
				? this.service.equals(name) && (this.method == null || this.method.equals(called.getBareMethodName()))
				: !name.startsWith("grpc.health.") && !name.startsWith("grpc.reflection.");
	}

}
