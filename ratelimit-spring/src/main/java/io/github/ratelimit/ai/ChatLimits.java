package io.github.ratelimit.ai;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.interceptor.CallLimiter;
import io.github.ratelimit.interceptor.LateVerifications;
import org.jspecify.annotations.Nullable;

/**
 * Source of advisors. During startup, they are created before annotations have defined
 * their rules, so they are verified at its end.
 *
 * @since 0.1.0
 */
public final class ChatLimits {

	private final RateLimitAdvisor.Environment environment;

	private final LateVerifications verifications = new LateVerifications();

	public ChatLimits(boolean enabled, Function<@Nullable String, RuleLimiter> limiters, Consumer<String> settling,
			Supplier<CallLimiter> calls, ModelPrices prices) {
		this.environment = new RateLimitAdvisor.Environment(enabled, limiters, settling, calls, prices,
				this.verifications::add);
	}

	public RateLimitAdvisor.Builder advisor() {
		return new RateLimitAdvisor.Builder(this.environment);
	}

	public void start(Consumer<Runnable> attempt) {
		this.verifications.start(attempt);
	}

}
