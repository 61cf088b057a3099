package io.github.ratelimit.grpc;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.interceptor.RequestOperation;
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
public record GrpcRule(@Nullable String service, @Nullable String method, RequestOperation operation) {

	private static final Pattern PATTERN = Pattern.compile("([\\w.]+)/(\\*|\\w+)");

	/**
	 * Create a new rule.
	 * @param pattern {@code forum.Replies/Reply}, {@code forum.Replies/*} or {@code **}
	 * @param operation limits the calls
	 * @return the rule
	 * @throws InvalidAttributeException if the pattern is none of these
	 */
	public static GrpcRule of(@Nullable String pattern, RequestOperation operation) {
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

	/**
	 * Return whether the rule applies to the calls of a method.
	 */
	boolean matches(MethodDescriptor<?, ?> called) {
		String name = String.valueOf(called.getServiceName());
		return (this.service != null)
				? this.service.equals(name) && (this.method == null || this.method.equals(called.getBareMethodName()))
				: !name.startsWith("grpc.health.") && !name.startsWith("grpc.reflection.");
	}

}
