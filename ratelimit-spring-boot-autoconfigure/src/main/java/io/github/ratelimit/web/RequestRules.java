package io.github.ratelimit.web;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.ratelimit.engine.DecidedCall;
import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.interceptor.CallLimiter;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import org.jspecify.annotations.Nullable;

import org.springframework.util.function.SingletonSupplier;

/**
 * Rules that apply to requests by their URL. All that match a request are decided
 * together. Beans are looked up late, since web servers create their filters before other
 * beans.
 *
 * @since 0.1.0
 */
public final class RequestRules {

	private final Supplier<List<RequestRule>> rules;

	private final Supplier<CallLimiter> limiter;

	/**
	 * Create new rules.
	 * @param rules the rules
	 * @param limiter the limiter that decides requests
	 */
	public RequestRules(Supplier<List<RequestRule>> rules, Supplier<CallLimiter> limiter) {
		this.rules = SingletonSupplier.of(rules);
		this.limiter = SingletonSupplier.of(limiter);
	}

	/**
	 * Look up the rules, to report mistakes at startup.
	 * @throws io.github.ratelimit.RateLimitConfigurationException if one of them is
	 * invalid
	 */
	public void verify() {
		this.rules.get();
	}

	/**
	 * Return the rules that apply to a request.
	 * @param method its HTTP method
	 * @param path its path without the context path
	 * @return the rules, in the order in which they are configured
	 */
	public List<RequestRule> matching(String method, RequestPaths path) {
		List<RequestRule> matching = new ArrayList<>(2);
		for (RequestRule rule : this.rules.get()) {
			if (rule.matches(method, path)) {
				matching.add(rule);
			}
		}
		return matching;
	}

	/**
	 * Decide a request.
	 * @param matching the rules that apply to it
	 * @param request the request
	 * @return the decision over all of them and the units taken, or {@code null} if all
	 * rules are off
	 */
	public @Nullable DecidedCall acquire(List<RequestRule> matching, CallContext request) {
		Demands demands = demands(matching, request);
		return demands.isEmpty() ? null : this.limiter.get().acquire(demands, request);
	}

	/**
	 * Decide a request without blocking the caller.
	 * @param matching the rules that apply to it
	 * @param request the request
	 * @return the decision over all of them and the units taken, later, or {@code null}
	 * if all rules are off
	 */
	public @Nullable CompletableFuture<DecidedCall> acquireAsync(List<RequestRule> matching, CallContext request) {
		Demands demands = demands(matching, request);
		return demands.isEmpty() ? null : this.limiter.get().acquireAsync(demands, request);
	}

	/**
	 * Return the demands of a request: one per counter, however many patterns lead there,
	 * and none of rules that are off.
	 */
	private static Demands demands(List<RequestRule> matching, CallContext request) {
		Map<List<String>, Demand> demands = new LinkedHashMap<>();
		for (RequestRule rule : matching) {
			Demand demand = rule.operation().demand(request);
			if (demand != null) {
				demands.putIfAbsent(List.of(demand.rule().name(), demand.key().text()), demand);
			}
		}
		return Demands.of(List.copyOf(demands.values()));
	}

}
