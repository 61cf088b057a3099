package io.github.ratelimit.interceptor;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.store.Demand;
import org.jspecify.annotations.Nullable;

/**
 * Rule on web requests, or on remote procedure calls, which creates their demands.
 *
 * @since 0.1.0
 */
public final class RequestOperation {

	private static final @Nullable Object[] NO_ARGUMENTS = new Object[0];

	private final RateLimitOperation operation;

	private RequestOperation(RateLimitOperation operation) {
		this.operation = operation;
	}

	/**
	 * Compile an operation.
	 * @param limiter the limiter of the rule
	 * @param location the place that defines it
	 * @param key the key expression, or {@code null} for the rule's own key
	 * @param cost the expression for the units of a request, or {@code null} for one
	 * @param unless the expression that refunds units, or {@code null} for the rule's own
	 * @param variables the path variables, or {@code null} for those of the handler
	 * @param beans resolves {@code @bean} in expressions
	 * @return the operation
	 * @throws InvalidAttributeException if an expression is invalid, or uses names that a
	 * request does not have
	 */
	public static RequestOperation of(RuleLimiter limiter, String location, @Nullable String key, @Nullable String cost,
			@Nullable String unless, @Nullable PathVariables variables, ExpressionBeans beans) {
		OperationPlace place = new RequestPlace(limiter.rule(), location, key, cost, unless, variables);
		return new RequestOperation(new OperationCompiler(limiter, place, beans).compile(null));
	}

	/**
	 * Compile an operation on remote procedure calls. The request is the root object of
	 * their expressions, with the properties {@code method}, {@code service},
	 * {@code peer}, {@code principal} and {@code status} and the methods
	 * {@code metadata('name')} and {@code claim('name')}.
	 * @param limiter the limiter of the rule
	 * @param location the place that defines it
	 * @param key the key expression, or {@code null} for the rule's own key
	 * @param unless the expression that refunds units, or {@code null} for the rule's own
	 * @param beans resolves {@code @bean} in expressions
	 * @return the operation
	 * @throws InvalidAttributeException if an expression is invalid, or uses names that a
	 * call does not have
	 */
	public static RequestOperation ofRemoteCalls(RuleLimiter limiter, String location, @Nullable String key,
			@Nullable String unless, ExpressionBeans beans) {
		OperationPlace place = new RemoteCallPlace(limiter.rule(), location, key, unless);
		return new RequestOperation(new OperationCompiler(limiter, place, beans).compile(null));
	}

	/**
	 * Return whether something happens when a request has ended.
	 * @return whether the rule settles its units then, or calls hold something until then
	 */
	public boolean hasEnd() {
		return this.operation.end() != null || this.operation.limiter().needsEnd();
	}

	/**
	 * Return the demand of a request.
	 * @param request the request
	 * @return the demand, or {@code null} if the rule is off, or in shadow mode and the
	 * request has no key
	 * @throws io.github.ratelimit.RateLimitKeyException if the request has no key
	 */
	public @Nullable Demand demand(CallContext request) {
		return this.operation.demand(call(request));
	}

	/**
	 * Return the demand of a request and its key, to explain it.
	 * @param request the request
	 * @return the demand, or {@code null} if the rule is off
	 * @throws io.github.ratelimit.RateLimitKeyException if the request has no key, also
	 * in shadow mode
	 */
	public @Nullable KeyedDemand keyedDemand(CallContext request) {
		return this.operation.keyedDemand(call(request));
	}

	/**
	 * Return the rule.
	 * @return the rule in force
	 */
	public RateLimitRule rule() {
		return this.operation.limiter().rule();
	}

	/**
	 * Return the place that defines the operation.
	 * @return {@code ratelimit.web.requests[0]} for example
	 */
	public String location() {
		return this.operation.location();
	}

	/**
	 * Return the key expression.
	 * @return the expression as written, empty for one counter
	 */
	public String keyText() {
		return this.operation.keyText();
	}

	/**
	 * Describe the operation.
	 * @return the rule and what it needs
	 */
	public LimitedOperation describe() {
		return new LimitedOperation(this.operation);
	}

	static Call call(CallContext request) {
		return new Call(null, NO_ARGUMENTS, request);
	}

	@Nullable EndPolicy end() {
		return this.operation.end();
	}

}
