package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.attribute.LimitAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Definition of a plan or a candidate: what differs from the limits of its rule.
 *
 * @param kind what it is
 * @param limit what differs from the only limit of the rule
 * @param limits what differs from limits of several, each with the name of one
 * @since 0.1.0
 */
public record VariantDefinition(Kind kind, LimitAttributes limit, List<LimitAttributes> limits) {

	public enum Kind {

		/** Numbers that override those of the rule. */
		PLAN("changes", "numbers", "600"),

		/** Limits that are tried. */
		CANDIDATE("tries", "values", "5");

		private final String verb;

		private final String contents;

		private final String example;

		Kind(String verb, String contents, String example) {
			this.verb = verb;
			this.contents = contents;
			this.example = "max: " + example;
		}

		@Override
		public String toString() {
			return (this == PLAN) ? "plan" : "candidate";
		}

	}

	/**
	 * Return the limits that differ from those of the rule, without what else they have
	 * of it.
	 * @throws InvalidAttributeException if the rule cannot have these values
	 */
	public List<Limit> over(List<Limit> own) {
		boolean isEmpty = this.limit.equals(LimitAttributes.NONE);
		if (this.limits.isEmpty()) {
			if (own.size() > 1 && (this.kind == Kind.PLAN || !isEmpty)) {
				throw new InvalidAttributeException("limits", null, "the rule has several limits: " + names(own) + '.',
						"Write which of them the " + this.kind + " changes, `limits: [{name: " + own.get(0).name()
								+ ", " + this.kind.example + "}]` for example.");
			}
			return isEmpty ? List.of() : List.of(over(own.get(0), this.limit));
		}
		if (!isEmpty) {
			throw new InvalidAttributeException("limits", this.limits,
					"the " + this.kind + " has " + this.kind.contents + " beside them.",
					"Write the " + this.kind.contents + " in limits only, each with the name of a limit of the rule.");
		}
		List<Limit> changed = new ArrayList<>();
		for (int i = 0; i < this.limits.size(); i++) {
			if (this.limits.get(i).without(Set.of(LimitAttribute.NAME)).equals(LimitAttributes.NONE)) {
				throw new InvalidAttributeException("limits", this.limits.get(i), "it " + this.kind.verb + " nothing.",
						"Write its " + this.kind.contents + ", `" + this.kind.example + "` for example.")
					.at("limits[" + i + ']');
			}
			try {
				changed.add(over(find(own, this.limits.get(i)), this.limits.get(i)));
			}
			catch (InvalidAttributeException ex) {
				throw ex.at("limits[" + i + "]." + ex.attribute());
			}
		}
		return changed;
	}

	/** Return whether it sets an attribute of a limit. */
	boolean has(RateLimitRule rule, int index, String attribute) {
		String name = rule.limits().get(index).name();
		return this.limit.has(attribute) || this.limits.stream()
			.filter((each) -> rule.limits().size() == 1 || Objects.equals(name, each.get(LimitAttribute.NAME)))
			.anyMatch((each) -> each.has(attribute));
	}

	private Limit find(List<Limit> own, LimitAttributes attributes) {
		String name = attributes.get(LimitAttribute.NAME);
		if (this.kind == Kind.PLAN && own.size() == 1 && name == null) {
			return own.get(0);
		}
		return own.stream()
			.filter((each) -> name != null && name.equals(each.name()))
			.findFirst()
			.orElseThrow(() -> unknown(name, own));
	}

	private InvalidAttributeException unknown(@Nullable String name, List<Limit> own) {
		return (own.size() > 1)
				? new InvalidAttributeException("name", name, "the rule has the limits " + names(own) + '.',
						"Write one of these names.")
				: new InvalidAttributeException("name", name, "the rule has one limit only.",
						"Write the " + this.kind.contents + " without limits, `" + this.kind.example + "`.");
	}

	private Limit over(Limit own, LimitAttributes attributes) {
		return (this.kind == Kind.PLAN) ? withNumbers(own, attributes) : tried(own, attributes);
	}

	private static Limit withNumbers(Limit own, LimitAttributes numbers) {
		Duration period = numbers.get(LimitAttribute.PERIOD);
		if (own.calendar() != null && period != null) {
			throw new InvalidAttributeException("period", period,
					"the limit of the rule counts by the calendar, " + own.calendar() + ", regardless of the plan.",
					"Change its max only.");
		}
		return numbers.applyTo(own);
	}

	/** Complete what a limit has to have. All else is completed with the rule. */
	static Limit tried(Limit own, LimitAttributes attributes) {
		LimitAttributes needed = LimitAttributes.NONE.with(LimitAttribute.MAX, own.max());
		if (own.algorithm() == Algorithm.CONCURRENCY
				|| attributes.get(LimitAttribute.ALGORITHM) == Algorithm.CONCURRENCY) {
			return needed.with(LimitAttribute.ALGORITHM, Algorithm.CONCURRENCY)
				.with(LimitAttribute.NAME, attributes.get(LimitAttribute.NAME))
				.toLimit();
		}
		return needed.with(LimitAttribute.PERIOD, own.get(LimitAttribute.PERIOD))
			.with(LimitAttribute.CALENDAR, own.get(LimitAttribute.CALENDAR))
			.overriddenBy(attributes)
			.toLimit();
	}

	private static String names(List<Limit> limits) {
		return String.join(", ", limits.stream().map(Limit::name).toList());
	}

}
