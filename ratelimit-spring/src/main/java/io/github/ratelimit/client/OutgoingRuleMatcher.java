package io.github.ratelimit.client;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.github.ratelimit.engine.CallDelay;
import io.github.ratelimit.interceptor.CallLimiter;
import io.github.ratelimit.interceptor.OutgoingRequest;
import io.github.ratelimit.interceptor.RateLimitOperation;
import org.jspecify.annotations.Nullable;

import org.springframework.util.function.SingletonSupplier;

/**
 * Rules that apply to outgoing requests by their host. All that match a request are
 * decided together. Beans are looked up late, since clients are created before other
 * beans.
 *
 * @param rules returns the rules, asked by each request
 * @since 0.1.0
 */
public record OutgoingRuleMatcher(Supplier<List<OutgoingRule>> rules, Supplier<CallLimiter> limiter,
		Supplier<CallDelay> delay, KeyBlocks blocks) {

	public OutgoingRuleMatcher {
		limiter = SingletonSupplier.of(limiter);
		delay = SingletonSupplier.of(delay);
	}

	public @Nullable OutgoingCall callOf(OutgoingRequest request) {
		Map<List<String>, OutgoingCall.Key> keys = new LinkedHashMap<>(2);
		for (OutgoingRule rule : this.rules.get()) {
			RateLimitOperation.KeyedDemand keyed = rule.host().matches(request) ? rule.operation().demand(request)
					: null;
			if (keyed != null) {
				OutgoingCall.Key limited = new OutgoingCall.Key(keyed.demand(), keyed.key(), rule.obey());
				keys.merge(List.of(limited.rule(), limited.key()), limited, OutgoingCall.Key::or);
			}
		}
		return keys.isEmpty() ? null
				: new OutgoingCall(List.copyOf(keys.values()), this.limiter.get(), this.delay.get(), this.blocks);
	}

	public record OutgoingRule(HostPattern host, RateLimitOperation operation, boolean obey) {

	}

}
