package io.github.ratelimit.interceptor;

import java.time.ZoneId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.store.Demand;
import org.jspecify.annotations.Nullable;

/**
 * Rule at one place, a limited method or requests, which creates the demands of its
 * calls.
 *
 * @since 0.1.0
 */
public record RateLimitOperation(RuleLimiter limiter, String location, String keyText, CallExpression key,
		@Nullable CallSelection selection, @Nullable LocatedExpression cost, @Nullable LocatedExpression condition,
		@Nullable EndPolicy end, @Nullable Fallback fallback, boolean mayUsePrincipal) {

	public static RateLimitOperation ofRequests(RuleLimiter limiter, String location, @Nullable String key,
			@Nullable String cost, @Nullable String unless, @Nullable PathVariables variables, ExpressionBeans beans) {
		return of(RequestScope.Kind.WEB, limiter, location, key, cost, unless, variables, beans);
	}

	/**
	 * Verify the syntax of an expression of a rule that nothing uses yet, so its names
	 * are unknown.
	 * @throws InvalidAttributeException if it is no expression
	 */
	public static void verifySyntax(String rule, String attribute, String expression) {
		ExpressionCompiler.verifySyntax(expression,
				(reason) -> new InvalidAttributeException(attribute, '"' + expression + '"', "it " + reason + ".",
						"Parameters are written as #name, text in single quotes: \"#userId + ':reply'\" for example.")
					.at("ratelimit.rules." + rule + '.' + attribute));
	}

	/**
	 * Compile an operation on remote procedure calls. The request is the root object of
	 * their expressions, with the properties {@code method}, {@code service},
	 * {@code peer}, {@code principal} and {@code status} and the methods
	 * {@code metadata('name')} and {@code claim('name')}.
	 */
	public static RateLimitOperation ofRemoteCalls(RuleLimiter limiter, String location, @Nullable String key,
			@Nullable String unless, ExpressionBeans beans) {
		return of(RequestScope.Kind.REMOTE_CALL, limiter, location, key, null, unless, null, beans);
	}

	/**
	 * Compile an operation on outgoing requests, whose calls cannot be followed to their
	 * end.
	 */
	public static RateLimitOperation ofOutgoingRequests(RuleLimiter limiter, String location, @Nullable String key,
			ExpressionBeans beans) {
		RateLimitRule rule = limiter.rule();
		if (limiter.needsEnd() || rule.unless() != null || rule.settle() != null) {
			String what = limiter.needsEnd() ? "algorithm: concurrency" : (rule.unless() != null) ? "unless" : "settle";
			throw new InvalidAttributeException("rule", rule.name(),
					"it has `" + what + "`, but the end of an outgoing request is not followed.", onMethod(rule))
				.at(location + ".rule");
		}
		return of(RequestScope.Kind.OUTGOING, limiter, location, key, null, null, null, beans);
	}

	private static String onMethod(RateLimitRule rule) {
		return "Put @RateLimited(name = \"" + rule.name() + "\") on the method that sends the request instead.";
	}

	private static RateLimitOperation of(RequestScope.Kind kind, RuleLimiter limiter, String location,
			@Nullable String key, @Nullable String cost, @Nullable String unless, @Nullable PathVariables variables,
			ExpressionBeans beans) {
		Map<String, @Nullable String> own = new HashMap<>();
		own.put("key", key);
		own.put("cost", cost);
		own.put("unless", unless);
		OperationPlace place = new PropertyPlace(limiter.rule(), location, new RequestScope(kind, variables, false),
				own);
		return new OperationCompiler(limiter, place, beans).compile(null);
	}

	public RateLimitRule rule() {
		return this.limiter.rule();
	}

	/**
	 * Return the parts of a request that the key and the cost need, and that a client may
	 * leave out.
	 * @return {@code header X-Api-Key} for example
	 */
	public List<String> needs() {
		CallExpression units = (this.cost != null) ? this.cost : PlainKey.NONE;
		return Stream.of(this.key, units).flatMap((each) -> each.needs().stream()).distinct().toList();
	}

	/**
	 * Return whether a denied call fails.
	 * @return {@code false} if a fallback answers it
	 */
	public boolean denies() {
		return this.fallback == null;
	}

	public Map<String, String> selections() {
		return (this.selection != null) ? texts(this.selection.plan(), this.selection.priority()) : Map.of();
	}

	public Map<String, String> ends() {
		return (this.end != null) ? texts(this.end.unless(), this.end.settle()) : Map.of();
	}

	private static Map<String, String> texts(@Nullable LocatedExpression... expressions) {
		Map<String, String> texts = new LinkedHashMap<>();
		Stream.of(expressions).filter(Objects::nonNull).forEach((each) -> texts.put(each.attribute(), each.text()));
		return texts;
	}

	/**
	 * Return whether something happens when a call has ended.
	 * @return whether the rule settles its units then, or calls hold something until then
	 */
	public boolean hasEnd() {
		return this.end != null || this.limiter.needsEnd();
	}

	/**
	 * Return the key, if a call demands nothing but one unit of a key of its arguments.
	 */
	@Nullable PlainKey plainKey() {
		boolean isAlone = this.selection == null && this.cost == null && this.condition == null && this.end == null;
		return (isAlone && this.key instanceof PlainKey plain) ? plain : null;
	}

	/**
	 * Return the demand of a request.
	 * @return the demand, or {@code null} if the rule is off, or in shadow mode and the
	 * request has no key
	 * @throws io.github.ratelimit.RateLimitKeyException if the request has no key
	 */
	public @Nullable Demand demand(CallContext request) {
		return demand(Call.of(request));
	}

	/**
	 * Return the demand of a call. In shadow mode, one whose expressions fail has none.
	 * @return the demand, or {@code null} if the call is not limited by it
	 */
	@Nullable Demand demand(Call call) {
		try {
			return isLimited(call) ? demand(call, key(call)) : null;
		}
		catch (RuntimeException ex) {
			this.limiter.goOnInShadowMode(ex, this.location);
			return null;
		}
	}

	/**
	 * Return the demand of a request and its key, to explain it.
	 * @return the demand, or {@code null} if the rule is off
	 * @throws io.github.ratelimit.RateLimitKeyException if the request has no key, also
	 * in shadow mode
	 */
	public @Nullable KeyedDemand keyedDemand(CallContext request) {
		return keyedDemand(Call.of(request));
	}

	/**
	 * Return the demand of an outgoing request and its key.
	 * @return the demand, or {@code null} if the rule is off, or in shadow mode and the
	 * request has no key
	 * @throws io.github.ratelimit.RateLimitKeyException if the request has no key
	 * @throws IllegalStateException if the rule counts running calls since a change at
	 * run time
	 */
	public @Nullable KeyedDemand demand(OutgoingRequest request) {
		try {
			KeyedDemand keyed = keyedDemand(Call.of(request));
			if (keyed != null && keyed.demand().needsEnd()) {
				throw keyed.demand().counts().endUnnoticed("an outgoing request", onMethod(rule()));
			}
			return keyed;
		}
		catch (RuntimeException ex) {
			this.limiter.goOnInShadowMode(ex, this.location);
			return null;
		}
	}

	private @Nullable KeyedDemand keyedDemand(Call call) {
		if (!isLimited(call)) {
			return null;
		}
		String keyOfCall = key(call);
		return new KeyedDemand(demand(call, keyOfCall), keyOfCall);
	}

	private boolean isLimited(Call call) {
		return rule().mode() != Mode.OFF && (this.condition == null || this.condition.holds(call));
	}

	/**
	 * Return the demand of a call under its key. If the rule does not count the key, the
	 * expressions that select numbers are not evaluated.
	 */
	private Demand demand(Call call, String keyOfCall) {
		long units = (this.cost != null) ? this.cost.units(call) : 1;
		return (this.selection == null || !this.limiter.isCounted(keyOfCall)) ? this.limiter.demand(keyOfCall, units)
				: this.selection.demand(call, keyOfCall, units);
	}

	private String key(Call call) {
		try {
			return (this.key instanceof PlainKey plain) ? plain.read(call.arguments())
					: KeyText.required(this.key.evaluate(call), this.keyText);
		}
		catch (RuntimeException ex) {
			throw keyFailure(call, ex);
		}
	}

	RuntimeException keyFailure(Call call, RuntimeException failure) {
		return new LocatedExpression.KeyFailure(
				new LocatedExpression(this.key, "key", this.keyText, rule().name(), this.location), call)
			.of(failure);
	}

	public record KeyedDemand(Demand demand, String key) {

	}

	/**
	 * Expressions that select the numbers of a call. A value that selects nothing is an
	 * error, since a mistake must not let every call pass.
	 *
	 * @param plan the name of a plan, or the limit of one caller; {@code null} for the
	 * rule's own numbers
	 * @param priority the class of the call, any value whose text in lower case is the
	 * name of one; {@code null} if the rule has no expression for it
	 * @param zone the name of a time zone, or a {@link ZoneId}; {@code null} if no zone
	 * of the rule depends on the call
	 */
	record CallSelection(RuleLimiter limiter, @Nullable LocatedExpression plan, @Nullable LocatedExpression priority,
			@Nullable LocatedExpression zone) {

		Demand demand(Call call, String key, long cost) {
			Demand demand = (this.plan != null) ? planned(this.plan, call, key, cost) : this.limiter.demand(key, cost);
			Object priority = (this.priority != null) ? KeyText.held(this.priority.evaluate(call)) : null;
			if (priority != null) {
				demand = demand.withPriority(priority.toString());
			}
			return (this.zone != null) ? inZone(this.zone, call, demand) : demand;
		}

		private Demand planned(LocatedExpression expression, Call call, String key, long cost) {
			Object plan = KeyText.held(expression.evaluate(call));
			if (plan == null) {
				return this.limiter.demand(key, cost);
			}
			if (plan instanceof CharSequence name) {
				return this.limiter.demand(key, cost, name.toString());
			}
			if (!(plan instanceof Limit numbers)) {
				throw expression.failure(
						"has to be the name of a plan or a Limit, but is a " + plan.getClass().getTypeName() + '.',
						null);
			}
			try {
				return this.limiter.demand(key, cost, numbers);
			}
			catch (RateLimitConfigurationException ex) {
				throw expression.failure("is no limit of this rule: " + ex.getMessage(), ex);
			}
		}

		private Demand inZone(LocatedExpression expression, Call call, Demand demand) {
			Object zone = KeyText.held(expression.evaluate(call));
			if (zone == null || zone instanceof CharSequence || zone instanceof ZoneId) {
				return this.limiter.inZone(demand, (zone != null) ? zone.toString() : null);
			}
			throw expression.failure(
					"has to be the name of a time zone or a ZoneId, but is a " + zone.getClass().getTypeName() + '.',
					null);
		}

	}

}
