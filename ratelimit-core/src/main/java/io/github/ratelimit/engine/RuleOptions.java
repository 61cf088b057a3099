package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.Map;

import io.github.ratelimit.Ban;
import io.github.ratelimit.Headroom;
import io.github.ratelimit.KeyLists;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a rule beside its key, its limits and its plans, as one source defines
 * them.
 *
 * @param onStoreFailure the policy, or {@code null} if it is not set
 * @param mode the mode, or {@code null} if it is not set
 * @param maxWait the longest wait of a call, or {@code null} if it is not set
 * @param prefetch how long an instance may hold units, or {@code null} if it is not set
 * @param ban when keys are banned, or {@code null} if it is not set
 * @param unless the expression that refunds units when a call ends, or {@code null} if it
 * is not set
 * @param settle the expression of the units that a call has used, or {@code null} if it
 * is not set
 * @param lists the keys that are not counted
 * @param priority the expression of the class of a call, or {@code null} if it is not set
 * @param headroom what calls of each class leave free, in declared order
 * @param candidates what is tried beside the limits, by the name of the candidate
 * @since 0.1.0
 */
public record RuleOptions(@Nullable OnStoreFailure onStoreFailure, @Nullable Mode mode, @Nullable Duration maxWait,
		@Nullable Duration prefetch, @Nullable Ban ban, @Nullable String unless, @Nullable String settle,
		KeyLists lists, @Nullable String priority, Map<String, Headroom> headroom,
		Map<String, CandidateDefinition> candidates) {

	/**
	 * No settings.
	 */
	public static final RuleOptions NONE = ofMaxWait(null);

	/**
	 * Create options that only set the longest wait.
	 * @param maxWait the longest wait of a call, or {@code null} if it is not set
	 * @return the options
	 */
	public static RuleOptions ofMaxWait(@Nullable Duration maxWait) {
		return new RuleOptions(null, null, maxWait, null, null, null, null, KeyLists.NONE, null, Map.of(), Map.of());
	}

	/**
	 * Return these options, overridden by those of another source.
	 */
	RuleOptions overriddenBy(RuleOptions other) {
		return new RuleOptions(either(other.onStoreFailure, this.onStoreFailure), either(other.mode, this.mode),
				either(other.maxWait, this.maxWait), either(other.prefetch, this.prefetch), either(other.ban, this.ban),
				either(other.unless, this.unless), either(other.settle, this.settle),
				other.lists.equals(KeyLists.NONE) ? this.lists : other.lists, either(other.priority, this.priority),
				other.headroom.isEmpty() ? this.headroom : other.headroom,
				other.candidates.isEmpty() ? this.candidates : other.candidates);
	}

	/**
	 * Return whether a setting is set.
	 * @param attribute its name in kebab case
	 */
	boolean has(String attribute) {
		return switch (attribute) {
			case "on-store-failure" -> this.onStoreFailure != null;
			case "mode" -> this.mode != null;
			case "max-wait" -> this.maxWait != null;
			case "prefetch" -> this.prefetch != null;
			case "ban" -> this.ban != null;
			case "unless" -> this.unless != null;
			case "settle" -> this.settle != null;
			case "allow" -> !this.lists.allow().isEmpty();
			case "deny" -> !this.lists.deny().isEmpty();
			case "priority" -> this.priority != null;
			default -> attribute.startsWith("headroom") && !this.headroom.isEmpty()
					|| attribute.startsWith("candidates") && !this.candidates.isEmpty();
		};
	}

	void addTo(RateLimitRule.Builder rule) {
		rule.onStoreFailure(this.onStoreFailure)
			.mode(this.mode)
			.lists(this.lists)
			.prefetch(this.prefetch)
			.ban(this.ban)
			.unless(this.unless)
			.settle(this.settle)
			.priority(this.priority);
		for (Map.Entry<String, Headroom> ofClass : this.headroom.entrySet()) {
			rule.headroom(ofClass.getKey(), ofClass.getValue());
		}
		if (!this.candidates.isEmpty()) {
			CandidateDefinition.add(this.candidates, rule);
		}
		if (this.maxWait != null) {
			rule.maxWait(this.maxWait);
		}
	}

	private static <T extends @Nullable Object> T either(T first, T second) {
		return (first != null) ? first : second;
	}

}
