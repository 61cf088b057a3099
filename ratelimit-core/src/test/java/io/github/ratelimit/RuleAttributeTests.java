package io.github.ratelimit;

import java.time.Duration;
import java.time.ZoneOffset;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RuleAttributeTests {

	private static final Limit LIMIT = Limit.of(5, Duration.ofMinutes(1));

	private static final Map<RuleAttribute<?>, RateLimitRule> RULES = rules();

	private static Map<RuleAttribute<?>, RateLimitRule> rules() {
		Map<RuleAttribute<?>, RateLimitRule> rules = new HashMap<>();
		rules.put(RuleAttribute.MODE, builder().mode(Mode.SHADOW).build());
		rules.put(RuleAttribute.ON_STORE_FAILURE, builder().onStoreFailure(OnStoreFailure.DENY).build());
		rules.put(RuleAttribute.MAX_WAIT, builder().maxWait(Duration.ofSeconds(2)).build());
		rules.put(RuleAttribute.PREFETCH, builder().prefetch(Duration.ofMillis(20)).build());
		rules.put(RuleAttribute.BAN, builder().ban(new Ban(20, Duration.ofMinutes(1), Duration.ofHours(1))).build());
		rules.put(RuleAttribute.KEY, builder().key("#user").build());
		rules.put(RuleAttribute.PLAN, builder().plan("#plan").build());
		rules.put(RuleAttribute.PRIORITY, withHeadroom().priority("#class").build());
		rules.put(RuleAttribute.HEADROOM, withHeadroom().build());
		rules.put(RuleAttribute.UNLESS, builder().unless("#error == null").build());
		rules.put(RuleAttribute.SETTLE, builder().settle("#result.tokens").build());
		rules.put(RuleAttribute.ALLOW, builder().allow("a").build());
		rules.put(RuleAttribute.DENY, builder().deny("b").build());
		rules.put(RuleAttribute.PLANS, withPlan().build());
		rules.put(RuleAttribute.SCHEDULE,
				withPlan().schedule(ScheduledPlan.on("pro", ZoneOffset.UTC, DayOfWeek.SUNDAY)).build());
		rules.put(RuleAttribute.CANDIDATES, builder().candidate("tight", LIMIT.withMax(3)).build());
		return rules;
	}

	private static RateLimitRule.Builder builder() {
		return RateLimitRule.named("api").limit(LIMIT);
	}

	private static RateLimitRule.Builder withHeadroom() {
		return builder().headroom("low", Headroom.ofPercent(30));
	}

	private static RateLimitRule.Builder withPlan() {
		return builder().plan("pro", LIMIT.withMax(50));
	}

	static List<RuleAttribute<?>> all() {
		return RuleAttribute.all();
	}

	@ParameterizedTest
	@MethodSource("all")
	void isSetByTheBuilderAndNotByDefault(RuleAttribute<?> attribute) {
		assertThat((Object) RULES.get(attribute).get(attribute)).isNotNull();
		assertThat((Object) builder().build().get(attribute)).isNull();
	}

	@ParameterizedTest
	@MethodSource("all")
	void distinguishesRules(RuleAttribute<?> attribute) {
		RateLimitRule rule = RULES.get(attribute);
		assertThat(rule).isNotEqualTo(builder().build())
			.isEqualTo(rules().get(attribute))
			.hasSameHashCodeAs(rules().get(attribute));
	}

	@ParameterizedTest
	@MethodSource("all")
	void changedCopiesKeepIt(RuleAttribute<?> attribute) {
		RateLimitRule rule = RULES.get(attribute);
		RateLimitRule changed = rule.withLimits(List.of(LIMIT.withMax(7)));
		assertThat((Object) changed.get(attribute)).isEqualTo(rule.get(attribute));
	}

	@ParameterizedTest
	@MethodSource("all")
	void valueIsSetByTheRowAsByItsMethod(RuleAttribute<?> attribute) {
		RateLimitRule rule = RULES.get(attribute);
		assertThat(copy(rule)).isEqualTo(rule);
	}

	private static RateLimitRule copy(RateLimitRule rule) {
		RateLimitRule.Builder copy = builder();
		RuleAttribute.all().forEach((attribute) -> set(attribute, rule, copy));
		return copy.build();
	}

	private static <T> void set(RuleAttribute<T> attribute, RateLimitRule rule, RateLimitRule.Builder copy) {
		copy.set(attribute, rule.get(attribute));
	}

	@Test
	void valuesAreCopied() {
		List<String> keys = new ArrayList<>(List.of("a"));
		Map<String, Headroom> headroom = new HashMap<>(Map.of("low", Headroom.ofPercent(30)));
		RateLimitRule.Builder builder = builder().set(RuleAttribute.ALLOW, keys).set(RuleAttribute.HEADROOM, headroom);
		keys.add("b");
		headroom.clear();
		assertThat(builder.build().lists().allow()).containsExactly("a");
		assertThat(builder.build().headroom()).containsOnlyKeys("low");
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> builder.build().headroom().clear());
	}

	@Test
	void defaultIsTheSameAsNoValue() {
		assertThat(builder().maxWait(Duration.ZERO).allow().plan(null).build()).isEqualTo(builder().build());
	}

}
