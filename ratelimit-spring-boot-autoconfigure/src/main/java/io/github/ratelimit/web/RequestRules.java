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
import io.github.ratelimit.store.Demands;
import org.jspecify.annotations.Nullable;

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
	 * Decide a request.
	 * @param matching the rules that hold for it
	 * @param request the request
	 * @return the decision over all of them and the units taken, or {@code null} if all
	 * rules are off
	 */
	public @Nullable Reservation acquire(List<RequestRule> matching, CallContext request) {
		Demands demands = demands(matching, request);
		return demands.isEmpty() ? null : this.limiter.get().acquire(demands, request);
	}

	/**
	 * Decide a request without blocking the caller.
	 * @param matching the rules that hold for it
	 * @param request the request
	 * @return the decision over all of them and the units taken, later, or {@code null}
	 * if all rules are off
	 */
	public @Nullable CompletableFuture<Reservation> acquireAsync(List<RequestRule> matching, CallContext request) {
		Demands demands = demands(matching, request);
		return demands.isEmpty() ? null : this.limiter.get().acquireAsync(demands, request);
	}

	/**
	 * A request takes from one counter of a rule once, however many patterns lead there,
	 * and asks nothing of rules that are off.
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
