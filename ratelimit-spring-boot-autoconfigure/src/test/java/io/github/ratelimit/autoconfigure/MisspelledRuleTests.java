package io.github.ratelimit.autoconfigure;

import java.time.Duration;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.engine.RecordedLog;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A warning names unused rules of the properties whose name is similar to one in use.
 */
class MisspelledRuleTests {

	private static final AutoConfigurations AUTO_CONFIGURATIONS = AutoConfigurations.of(AopAutoConfiguration.class,
			RateLimitAutoConfiguration.class, ServletRateLimitAutoConfiguration.class);

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AUTO_CONFIGURATIONS)
		.withBean(Replies.class);

	@AutoClose
	private final RecordedLog log = new RecordedLog(MisspelledRuleWarning.class);

	@Test
	void warnsWithTheNearest() {
		this.runner.withPropertyValues("ratelimit.rules.repyl.max=9", "ratelimit.rules.repyl.period=60")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).containsExactly("WARNING ratelimit.rules.repyl has had no effect so far: no "
				+ "annotation, no URL rule and no program names the rule \"repyl\". Did you mean reply? Then write "
				+ "ratelimit.rules.reply instead.");
	}

	@Test
	void incompleteRuleStopsStartupAndNamesTheNearestFirst() {
		this.runner.withPropertyValues("ratelimit.rules.repyl.max=9")
			.run((context) -> assertThat(context.getStartupFailure())
				.isInstanceOfSatisfying(RateLimitConfigurationException.class, (mistake) -> {
					assertThat(mistake.description())
						.isEqualTo("ratelimit.rules.repyl overrides no rule: no annotation "
								+ "and no program names the rule \"repyl\". Did you mean reply? By itself it is incomplete: "
								+ "ratelimit.rules.repyl.period is missing: a limit admits max units per period.");
					assertThat(mistake.action()).isEqualTo("Write ratelimit.rules.reply instead. Or complete the rule: "
							+ "Write a duration, for example period: 60s.");
				}));
	}

	@Test
	void derivedNameOfAMethodThatHasAnotherIsNamed() {
		this.runner
			.withPropertyValues("ratelimit.rules.replies-reply.max=9", "ratelimit.rules.replies-reply.period=60",
					"ratelimit.rules.reply.max=7")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).singleElement().asString().contains("Did you mean reply?");
		this.runner.withPropertyValues("ratelimit.rules.replies-reply.max=9")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageStartingWith("ratelimit.rules.replies-reply overrides no rule: no annotation and no program "
						+ "names the rule \"replies-reply\". Did you mean reply?"));
	}

	@Test
	void incompleteRuleWithoutASimilarNameIsOnlyIncomplete() {
		this.runner.withPropertyValues("ratelimit.rules.other.max=9")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageStartingWith(
						"ratelimit.rules.other.period is missing: no annotation names the rule \"other\", and "));
	}

	@Test
	void warnsOfAnInvalidNameIfMistakesOnlyWarn() {
		this.runner
			.withPropertyValues("ratelimit.verification=warn", "ratelimit.rules[repyL].max=9",
					"ratelimit.rules[repyL].period=60")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).singleElement().asString().contains("Did you mean reply?");
	}

	@Test
	void noWarningForAnInvalidRuleThatAnAnnotationNames() {
		this.runner.withPropertyValues("ratelimit.verification=warn", "ratelimit.rules.reply.max=0")
			.withBean(RegisteringSimilar.class)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).isEmpty();
	}

	@Test
	void warnsOfARuleThatAProgramRegisters() {
		this.runner.withBean(Registering.class)
			.withPropertyValues("ratelimit.rules.exprot.max=9", "ratelimit.rules.exprot.period=60")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).singleElement().asString().contains("Did you mean export?");
	}

	@ParameterizedTest
	@ValueSource(strings = { "reply.max=9, reply.period=60", "other.max=9, other.period=60",
			"reply.max=9, reply2.max=9, reply2.period=60" })
	void noWarningForARuleThatIsUsedOrNotSimilarNorIfBothAreWritten(String rules) {
		this.runner.withPropertyValues(rules.replaceAll("(^|, )", "$1ratelimit.rules.").split(", "))
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).isEmpty();
	}

	@Test
	void noWarningForARuleUsedByAProgram() {
		this.runner.withBean(Requesting.class)
			.withPropertyValues("ratelimit.rules.replys.max=9", "ratelimit.rules.replys.period=60")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).isEmpty();
	}

	@Test
	void noWarningForARuleNamedByAUrlRule() {
		new WebApplicationContextRunner().withConfiguration(AUTO_CONFIGURATIONS)
			.withBean(Replies.class)
			.withPropertyValues("ratelimit.rules.replys.max=9", "ratelimit.rules.replys.period=60",
					"ratelimit.web.requests[0].path=/**", "ratelimit.web.requests[0].rule=replys")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).isEmpty();
	}

	static class Replies {

		@RateLimited(name = "reply", max = 5, period = 60)
		public void reply() {
		}

	}

	static class Registering {

		Registering(RateLimiterRegistry limiters) {
			limiters.register(RateLimitRule.named("export").limit(5, Duration.ofSeconds(60)).build());
		}

	}

	static class RegisteringSimilar {

		RegisteringSimilar(RateLimiterRegistry limiters) {
			limiters.register(RateLimitRule.named("replys").limit(5, Duration.ofSeconds(60)).build());
		}

	}

	static class Requesting {

		Requesting(RateLimiterRegistry limiters) {
			limiters.limiter("replys");
		}

	}

}
