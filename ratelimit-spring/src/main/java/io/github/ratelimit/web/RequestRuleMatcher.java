package io.github.ratelimit.web;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import io.github.ratelimit.interceptor.CallLimiter;

import org.springframework.util.function.SingletonSupplier;

/**
 * Rules that apply to requests by their URL. All that match a request are decided
 * together. Beans are looked up late, since web servers create their filters before other
 * beans.
 *
 * @since 0.1.0
 */
public record RequestRuleMatcher(Supplier<List<RequestRule>> rules, Supplier<CallLimiter> limiter) {

	public RequestRuleMatcher {
		rules = SingletonSupplier.of(rules);
		limiter = SingletonSupplier.of(limiter);
	}

	public List<RequestRule> matching(String method, RequestPaths path) {
		List<RequestRule> matching = new ArrayList<>(2);
		for (RequestRule rule : this.rules.get()) {
			if (rule.matches(method, path)) {
				matching.add(rule);
			}
		}
		return matching;
	}

	public List<RequestRule> all() {
		return this.rules.get();
	}

	/** Return whether requests may have an end that matters. */
	public boolean haveEnds() {
		for (RequestRule rule : this.rules.get()) {
			if (rule.operation().hasEnd()) {
				return true;
			}
		}
		return false;
	}

}
