package io.github.ratelimit;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PlansOfRuleTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final Limit OWN = Limit.of(60, MINUTE);

	private static final Limit PRO = Limit.of(600, MINUTE);

	@Test
	void ruleHasNoPlansByDefault() {
		RateLimitRule rule = search().build();
		assertThat(rule.hasPlans()).isFalse();
		assertThat(rule.plan()).isNull();
		assertThat(rule.plans()).isEmpty();
	}

	@Test
	void expressionAloneMakesARuleWithPlans() {
		RateLimitRule rule = search().plan("@plans.of(#tenant)").build();
		assertThat(rule.hasPlans()).isTrue();
		assertThat(rule.plan()).isEqualTo("@plans.of(#tenant)");
	}

	@Test
	void plansKeepTheirDeclaredOrder() {
		RateLimitRule rule = search().plan("pro", PRO).plan("free", OWN.withMax(2)).plan("a", PRO).build();
		assertThat(rule.hasPlans()).isTrue();
		assertThat(rule.plans().keySet()).containsExactly("pro", "free", "a");
	}

	@Test
	void allButTheNumbersIsTheRules() {
		RateLimitRule rule = search().algorithm(Algorithm.SLIDING_WINDOW)
			.segments(6)
			.minInterval(Duration.ofMillis(5))
			.plan("pro", Limit.of(600, Duration.ofHours(1)))
			.build();
		assertThat(rule.plans()).isEqualTo(
				Map.of("pro", List.of(rule.limits().get(0).toBuilder().max(600).period(Duration.ofHours(1)).build())));
	}

	@Test
	void planOfALimitByACalendarChangesItsMaxOnly() {
		Limit month = Limit.ofCalendar(10, CalendarUnit.MONTH, ZoneOffset.UTC);
		RateLimitRule rule = RateLimitRule.named("quota").limit(month).plan("pro", month.withMax(50)).build();
		assertThat(rule.plans()).isEqualTo(Map.of("pro", List.of(month.withMax(50))));
		assertThat(rule.withNumbers(month.withMax(7)).limits()).containsExactly(month.withMax(7));
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> RateLimitRule.named("quota").limit(month).plan("pro", PRO).build())
			.withMessageStartingWith("plans.pro.period = 1m is invalid: the limit of the rule counts by the calendar, "
					+ "month in Z, regardless of the plan.");
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> rule.withNumbers(Limit.ofCalendar(7, CalendarUnit.DAY, ZoneOffset.UTC)))
			.withMessageStartingWith("calendar = day in Z is invalid");
		assertThatExceptionOfType(InvalidAttributeException.class).isThrownBy(() -> search().build().withNumbers(month))
			.withMessageStartingWith("calendar = month in Z is invalid: the limit of the rule has a period");
	}

	@Test
	void burstIsTheRulesIfThePlanHasNone() {
		RateLimitRule rule = search().algorithm(Algorithm.TOKEN_BUCKET)
			.burst(15)
			.plan("pro", PRO)
			.plan("team", PRO.toBuilder().algorithm(Algorithm.TOKEN_BUCKET).burst(100).build())
			.build();
		assertThat(rule.plans().get("pro")).extracting(Limit::capacity).containsExactly(15L);
		assertThat(rule.plans().get("team")).extracting(Limit::capacity).containsExactly(100L);
	}

	@Test
	void planOfSeveralLimitsNamesThoseThatItChanges() {
		Limit minute = OWN.withName("minute");
		Limit day = Limit.of(1000, Duration.ofDays(1)).withName("day");
		RateLimitRule rule = RateLimitRule.named("search")
			.limit(minute)
			.limit(day)
			.plan("pro", List.of(day.withMax(9000)))
			.build();
		assertThat(rule.plans().get("pro")).containsExactly(minute, day.withMax(9000));
	}

	@Test
	void changedCopiesKeepThePlans() {
		RateLimitRule rule = search().plan("#plan").plan("pro", PRO).build();
		RateLimitRule changed = rule.withLimits(List.of(OWN.withMax(7)))
			.withDefault(Algorithm.TOKEN_BUCKET)
			.withMode(Mode.SHADOW);
		assertThat(changed.plan()).isEqualTo("#plan");
		assertThat(changed.plans().get("pro")).containsExactly(PRO.withAlgorithm(Algorithm.TOKEN_BUCKET));
		assertThat(rule).isNotEqualTo(search().build())
			.isNotEqualTo(search().plan("#plan").build())
			.isEqualTo(search().plan("#plan").plan("pro", PRO).build())
			.hasSameHashCodeAs(search().plan("#plan").plan("pro", PRO).build());
	}

	@Test
	void eachLimitChangesUnderEachPlanToo() {
		RateLimitRule rule = search().plan("pro", PRO).build().withEachLimit((limit) -> limit.withMax(9));
		assertThat(rule.limits()).containsExactly(OWN.withMax(9));
		assertThat(rule.plans().get("pro")).containsExactly(OWN.withMax(9));
	}

	@Test
	void maxOfAnAdaptiveLimitIsTheSameUnderEachPlan() {
		Limit own = Limit.builder().adaptive(adaptive()).max(1000).period(MINUTE).build();
		RateLimitRule rule = RateLimitRule.named("search")
			.limit(own)
			.plan("pro", own.toBuilder().period(Duration.ofSeconds(10)).build())
			.build();
		RateLimitRule now = rule.withLimits(List.of(own.withMax(550)));
		assertThat(now.plans().get("pro")).extracting(Limit::max).containsExactly(550L);
		assertThat(now.plans().get("pro")).extracting(Limit::period).containsExactly(Duration.ofSeconds(10));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "Pro", "pro plan", "pro_plan" })
	void nameOfAPlanIsLikeThatOfARule(String name) {
		assertThatExceptionOfType(InvalidAttributeException.class).isThrownBy(() -> search().plan(name, PRO))
			.withMessageStartingWith("plans = \"" + name + "\" is invalid: the name of a plan");
	}

	@Test
	void blankExpressionIsRefused() {
		assertThatExceptionOfType(InvalidAttributeException.class).isThrownBy(() -> search().plan(" "))
			.withMessageStartingWith("plan = \" \" is invalid: ");
	}

	@Test
	void planChangesNumbersOnly() {
		assertRefused("plans.pro.algorithm = token-bucket", (limit) -> limit.algorithm(Algorithm.TOKEN_BUCKET));
		assertRefused("plans.pro.segments = 5", (limit) -> limit.algorithm(Algorithm.SLIDING_WINDOW).segments(5),
				Algorithm.SLIDING_WINDOW);
		assertRefused("plans.pro.align = first-request",
				(limit) -> limit.algorithm(Algorithm.FIXED_WINDOW).align(Align.FIRST_REQUEST), Algorithm.FIXED_WINDOW);
		assertRefused("plans.pro.min-interval = 5ms", (limit) -> limit.minInterval(Duration.ofMillis(5)));
		assertRefused("plans.pro.count-denied = true", (limit) -> limit.countDenied(true));
		assertRefused("plans.pro.adaptive = ", (limit) -> limit.adaptive(adaptive()));
	}

	private static void assertRefused(String message, UnaryOperator<Limit.Builder> change) {
		assertRefused(message, change, Algorithm.SLIDING_LOG);
	}

	private static void assertRefused(String message, UnaryOperator<Limit.Builder> change, Algorithm algorithm) {
		Limit plan = change.apply(PRO.toBuilder()).build();
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> search().algorithm(algorithm).plan("pro", plan).build())
			.withMessageStartingWith(message)
			.withMessageContaining("a plan changes max, period and burst only");
	}

	@Test
	void maxOfAnAdaptiveLimitIsNotChanged() {
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> search().adaptive(adaptive()).plan("pro", PRO).build())
			.withMessageStartingWith("plans.pro.max = 600 is invalid: adaptive of the rule derives it");
	}

	@Test
	void numbersOfAPlanMeanSomethingInTheRule() {
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> search().algorithm(Algorithm.SLIDING_LOG).plan("pro", OWN.withMax(10_001)).build())
			.withMessageStartingWith("plans.pro.max = 10001 is invalid: the algorithm sliding-log keeps one entry");
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> search().algorithm(Algorithm.SLIDING_LOG).plan("pro", PRO.withBurst(5)).build())
			.withMessageStartingWith("plans.pro.burst = 5 is invalid: it has no effect");
	}

	@Test
	void limitsOfAPlanAreLimitsOfTheRule() {
		assertRefusedAsLimits("plans.pro = [] is invalid: it changes nothing", search(), List.of());
		assertRefusedAsLimits("plans.pro.limits = ", search(), List.of(OWN, PRO));
		assertRefusedAsLimits("plans.pro.limits[0].name = hour", search(), List.of(PRO.withName("hour")));
		RateLimitRule.Builder sms = RateLimitRule.named("sms").limit(OWN.withName("minute")).limit(PRO.withName("day"));
		assertRefusedAsLimits("plans.pro.limits[0].name is missing", sms, List.of(PRO));
		assertRefusedAsLimits("plans.pro.limits[1].name = hour", sms,
				List.of(PRO.withName("day"), PRO.withName("hour")));
		assertRefusedAsLimits("plans.pro.limits[1].name = day", sms, List.of(PRO.withName("day"), OWN.withName("day")));
		assertRefusedAsLimits("plans.pro.limits[0].segments = 5", sms,
				List.of(PRO.withName("day").withAlgorithm(Algorithm.DEFAULT).withSegments(5)));
	}

	private static void assertRefusedAsLimits(String message, RateLimitRule.Builder rule, List<Limit> plan) {
		assertThatExceptionOfType(InvalidAttributeException.class).isThrownBy(() -> rule.plan("pro", plan).build())
			.withMessageStartingWith(message);
	}

	private static RateLimitRule.Builder search() {
		return RateLimitRule.named("search").limit(OWN);
	}

	private static Adaptive adaptive() {
		return new Adaptive("memory", new Adaptive.Point(0.6, 1000), new Adaptive.Point(0.9, 100));
	}

}
