package io.github.ratelimit.override;

import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.engine.RuleOverride;
import org.jspecify.annotations.Nullable;

/** Numbers of a candidate as changes of its rule at run time. */
final class AdoptedLimits {

	private AdoptedLimits() {
	}

	/**
	 * Return the changes of each limit that differs.
	 * @throws InvalidAttributeException if the candidate differs by more than numbers
	 * that change at run time, or by nothing
	 */
	static SortedMap<String, LimitAttributes> of(RateLimitRule rule, String candidate) {
		List<Limit> adopted = rule.candidates().get(candidate);
		if (adopted == null) {
			throw new InvalidAttributeException("adopt", '"' + candidate + '"',
					"the rule \"" + rule.name() + "\" tries "
							+ (rule.candidates().isEmpty() ? "no candidates."
									: String.join(", ", rule.candidates().keySet()) + '.'),
					rule.candidates().isEmpty() ? "Write max, {\"max\": 5} for example." : "Write one of these names.");
		}
		SortedMap<String, LimitAttributes> changes = new TreeMap<>();
		for (int i = 0; i < adopted.size(); i++) {
			Limit own = rule.limits().get(i);
			LimitAttributes ofLimit = changes(rule, candidate, own, adopted.get(i));
			if (!ofLimit.equals(LimitAttributes.NONE)) {
				changes.put(RuleOverride.nameIn(rule, own), ofLimit);
			}
		}
		if (changes.isEmpty()) {
			throw new InvalidAttributeException("adopt", '"' + candidate + '"',
					"the rule \"" + rule.name() + "\" has these numbers already.", "Nothing has to be changed.");
		}
		return changes;
	}

	private static LimitAttributes changes(RateLimitRule rule, String candidate, Limit own, Limit adopted) {
		if (own.algorithm() != adopted.algorithm()) {
			throw refused(candidate, "it counts by " + adopted.algorithm().yamlName() + ", and the rule \""
					+ rule.name() + "\" by " + own.algorithm().yamlName() + ", which does not change at run time.");
		}
		LimitAttributes changes = LimitAttributes.NONE;
		if (own.max() != adopted.max()) {
			changes = changes.with(LimitAttribute.MAX, adopted.max());
		}
		if (own.calendar() == null && !adopted.period().equals(own.period())) {
			changes = changes.with(LimitAttribute.PERIOD, adopted.period());
		}
		Limit changed = changes.applyTo(own);
		if (!LimitAttribute.all()
			.stream()
			.allMatch((each) -> Objects.equals(value(changed, each), value(adopted, each)))) {
			throw refused(candidate, "it differs from the rule \"" + rule.name()
					+ "\" by more than max and period, and nothing else changes at run time.");
		}
		return changes;
	}

	/** Return a value by its effect: what is off may be written or left out. */
	private static @Nullable Object value(Limit limit, LimitAttribute<?> attribute) {
		Object value = limit.get(attribute);
		return Boolean.FALSE.equals(value) ? null : value;
	}

	private static InvalidAttributeException refused(String candidate, String reason) {
		return new InvalidAttributeException("adopt", '"' + candidate + '"', reason,
				"Write its values into the properties of the rule.");
	}

}
