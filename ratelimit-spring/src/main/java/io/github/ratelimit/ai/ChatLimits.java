package io.github.ratelimit.ai;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.interceptor.CallLimiter;
import org.jspecify.annotations.Nullable;

/**
 * Source of advisors. During startup, they are created before annotations have defined
 * their rules, so they are verified at its end.
 *
 * @since 0.1.0
 */
public final class ChatLimits {

	private final RateLimitAdvisor.Environment environment;

	private final List<Runnable> unverified = new CopyOnWriteArrayList<>();

	private volatile @Nullable Consumer<Runnable> attempt;

	public ChatLimits(boolean enabled, Function<@Nullable String, RuleLimiter> limiters, Consumer<String> settling,
			Supplier<CallLimiter> calls, ModelPrices prices) {
		this.environment = new RateLimitAdvisor.Environment(enabled, limiters, settling, calls, prices, this::verify);
	}

	public RateLimitAdvisor.Builder advisor() {
		return new RateLimitAdvisor.Builder(this.environment);
	}

	private void verify(Runnable verification) {
		Consumer<Runnable> known = this.attempt;
		if (known != null) {
			known.accept(verification);
		}
		else {
			this.unverified.add(verification);
		}
	}

	/**
	 * Verify the advisors that were created so far, and from now on each new one at once.
	 * @param attempt runs the verification of one advisor. Calls fail whose advisor is
	 * invalid, if it throws nothing
	 */
	public void start(Consumer<Runnable> attempt) {
		this.attempt = attempt;
		this.unverified.forEach(attempt);
		this.unverified.clear();
	}

}
