package io.github.ratelimit.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Consumer;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleVariants;
import org.jspecify.annotations.Nullable;

/**
 * Other numbers of single keys. All keys of a rule with the same numbers share them, and
 * with them the prepared variants of the rule. Remembered denials and portions belong to
 * a prepared rule, so they do not outlive a changed override.
 */
final class KeyNumbers implements Verdict {

	private static final Logger logger = System.getLogger(KeyNumbers.class.getName());

	/**
	 * Bound on the cached variants. A rule has another one for each plan, and for each
	 * change at run time or by the load.
	 */
	private static final int MOST_VARIANTS = 16;

	private final SortedMap<String, Long> maxima;

	private final Consumer<RateLimitRule> validator;

	private volatile @Nullable Variant variants;

	/** Reason of the latest refusal by a rule, which was logged. */
	private @Nullable String refusal;

	/**
	 * Create new numbers.
	 * @param maxima the number of units by the name of the limit, which is empty for the
	 * only one of a rule
	 * @param validator refuses a rule that cannot be counted with these numbers
	 */
	KeyNumbers(SortedMap<String, Long> maxima, Consumer<RateLimitRule> validator) {
		this.maxima = maxima;
		this.validator = validator;
	}

	/**
	 * Return a rule with these numbers and the same counters.
	 * @param rule the rule as it counts other keys
	 * @return the prepared variant, or the rule itself if it cannot have these numbers
	 */
	RuleCounts of(RuleCounts rule) {
		RuleCounts withoutZone = RuleVariants.of(rule).inZone(null);
		for (Variant each = this.variants; each != null; each = each.next) {
			if (each.of == withoutZone) {
				return RuleVariants.of(each.counts).inZone(RuleVariants.of(rule).zone());
			}
		}
		return RuleVariants.of(prepare(withoutZone)).inZone(RuleVariants.of(rule).zone());
	}

	private synchronized RuleCounts prepare(RuleCounts rule) {
		Variant known = this.variants;
		Variant prepared = new Variant(rule, variant(rule),
				(known != null && known.size() < MOST_VARIANTS) ? known : null);
		this.variants = prepared;
		return prepared.counts;
	}

	private RuleCounts variant(RuleCounts rule) {
		try {
			RateLimitRule changed = applyTo(rule.rule(), this.maxima);
			this.validator.accept(changed);
			return RuleVariants.of(rule).withNumbers(changed);
		}
		catch (RateLimitConfigurationException ex) {
			String reason = String.valueOf(ex.getMessage());
			if (!reason.equals(this.refusal)) {
				this.refusal = reason;
				logger.log(Level.ERROR, "An override of a key does not fit the rate limit rule \"" + rule.rule().name()
						+ "\" here and is ignored. " + reason);
			}
			return rule;
		}
	}

	/**
	 * Override the numbers of a rule.
	 * @throws RateLimitConfigurationException if the rule cannot have them
	 */
	static RateLimitRule applyTo(RateLimitRule rule, Map<String, Long> maxima) {
		maxima.keySet().forEach((name) -> checkKnown(rule, name));
		return rule.withLimits(rule.limits().stream().map((limit) -> {
			Long max = maxima.get(RuleOverride.nameIn(rule, limit));
			return (max != null) ? withMax(rule, limit, max) : limit;
		}).toList());
	}

	private static void checkKnown(RateLimitRule rule, String name) {
		List<String> known = rule.limits().stream().map((limit) -> RuleOverride.nameIn(rule, limit)).toList();
		if (!known.contains(name)) {
			throw RuleOverride.noLimit(name, rule, known, "Name the one that the key overrides, \"limit\": \""
					+ known.get(0) + "\" or KeyOverride.max(\"" + known.get(0) + "\", …) for example.");
		}
	}

	private static Limit withMax(RateLimitRule rule, Limit limit, long max) {
		String place = "max of \"" + rule.nameOf(limit) + '"';
		if (limit.adaptive() != null) {
			throw new InvalidAttributeException("max", max,
					"the limit is adaptive, so it follows the load of each instance.",
					"Block the key or let it pass unlimited, or write another rule without adaptive.")
				.at(place);
		}
		try {
			return LimitAttributes.NONE.with(LimitAttribute.MAX, max).applyTo(limit);
		}
		catch (InvalidAttributeException ex) {
			throw ex.at(place, RuleOverride.notation(Set.of("max", "limit"))::print);
		}
	}

	private record Variant(RuleCounts of, RuleCounts counts, @Nullable Variant next) {

		int size() {
			return (this.next != null) ? 1 + this.next.size() : 1;
		}

	}

}
