package io.github.ratelimit.web;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.ratelimit.engine.Reservation;
import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.interceptor.CallLimiter;
import io.github.ratelimit.store.Demand;

import org.springframework.util.function.SingletonSupplier;

/**
 * The rules that hold for requests by their URL. All that match a request are decided
 * together. Everything is looked up when all beans are there, since web servers make
 * their filters before.
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
	 * Look the rules up, so that mistakes come to light.
	 * @throws io.github.ratelimit.RateLimitConfigurationException if one of them is
	 * invalid
	 */
	public void verify() {
		this.rules.get();
	}

	/**
	 * The rules that hold for a request.
	 * @param method its HTTP method
	 * @param path its path without the context path
	 * @return the rules, as they were written
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
	 * Return what a request asks of its rules. It takes from one counter of a rule once,
	 * however many patterns lead there, and asks nothing of rules that are off.
	 * @param matching the rules that hold for it
	 * @param request the request
	 * @return the demands; none if all rules are off
	 */
	public static List<Demand> demands(List<RequestRule> matching, CallContext request) {
		Map<List<String>, Demand> demands = new LinkedHashMap<>();
		for (RequestRule rule : matching) {
			Demand demand = rule.operation().demand(request);
			if (demand != null) {
				demands.putIfAbsent(List.of(demand.rule().name(), demand.key().text()), demand);
			}
		}
		return List.copyOf(demands.values());
	}

	/**
	 * Decide a request.
	 * @param demands what it asks of its rules, at least one
	 * @param request the request
	 * @return the decision over all of them, and what was taken
	 */
	public Reservation acquire(List<Demand> demands, CallContext request) {
		return this.limiter.get().acquire(demands, request);
	}

	/**
	 * Decide a request without blocking the caller.
	 * @param demands what it asks of its rules, at least one
	 * @param request the request
	 * @return the decision over all of them, and what was taken, later
	 */
	public CompletableFuture<Reservation> acquireAsync(List<Demand> demands, CallContext request) {
		return this.limiter.get().acquireAsync(demands, request);
	}

}
