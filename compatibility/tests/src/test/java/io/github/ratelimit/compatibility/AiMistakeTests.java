package io.github.ratelimit.compatibility;

import java.util.Arrays;
import java.util.function.UnaryOperator;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.ai.RateLimitAdvisor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.core.NestedExceptionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Mistakes of advisors and prices stop startup, and a disabled limiter limits no chat
 * client.
 */
@Tag("in-ci")
@OnOuterLines
@ExtendWith(OutputCaptureExtension.class)
class AiMistakeTests {

	private static final String TOKENS = "ratelimit.rules.tokens.max=10";

	private static final String WINDOW = "ratelimit.rules.tokens.algorithm=fixed-window";

	private static UnaryOperator<RateLimitAdvisor.Builder> advisor = (limit) -> limit;

	@Test
	void advisorsThatCannotLimitStopStartup() {
		assertMistake((limit) -> limit, "RateLimitAdvisor.rule is missing", "Known: tokens");
		assertMistake((limit) -> limit.rule("token"), "RateLimitAdvisor.rule = \"token\" is invalid",
				"Write rule: tokens");
		assertMistake((limit) -> limit.rule("tokens"), "The RateLimitAdvisor of rule \"tokens\" cannot settle calls",
				"counted by sliding-log, which cannot owe units. Count it by one of fixed-window, sliding-window, token-bucket");
		assertMistake((limit) -> limit.rule("tokens"), "has no key, and cannot use that of the rule, \"#tenant\"",
				"Write .keyParam(\"tenant\")", WINDOW, "ratelimit.rules.tokens.key=#tenant");
		assertMistake((limit) -> limit.rule("tokens"), "has no plan, and cannot use that of the rule, \"#plan\"",
				"Write .plan((request) -> ...)", WINDOW, "ratelimit.rules.tokens.plan=#plan",
				"ratelimit.rules.tokens.plans.free.max=5");
		assertMistake((limit) -> limit.rule("tokens").unit(RateLimitAdvisor.Unit.MONEY), "no model has a price",
				"Add ratelimit.ai.prices", WINDOW);
	}

	@Test
	void rulesWithExpressionsThatAnAdvisorCannotEvaluateStopStartup() {
		assertMistake((limit) -> limit.rule("tokens"),
				"cannot use the priority of the rule, \"#tier\": a chat request has no such names.",
				"Write a rule of its own for the advisor, without priority.", WINDOW,
				"ratelimit.rules.tokens.priority=#tier", "ratelimit.rules.tokens.headroom.other=50%");
		assertMistake((limit) -> limit.rule("daily"), "cannot use the zone of the rule, \"#zone\"", "without zone.",
				"ratelimit.rules.daily.max=10", "ratelimit.rules.daily.algorithm=fixed-window",
				"ratelimit.rules.daily.calendar=day", "ratelimit.rules.daily.zone=#zone");
		assertMistake((limit) -> limit.rule("tokens"), "cannot use the unless of the rule, \"#result == null\"",
				"without unless.", WINDOW, "ratelimit.rules.tokens.unless=#result == null");
		assertMistake((limit) -> limit.rule("tokens"), "cannot use the settle of the rule, \"#result.size()\"",
				"without settle.", WINDOW, "ratelimit.rules.tokens.settle=#result.size()");
	}

	@Test
	void callsOfAnAdvisorWhoseMistakeIsOnlyWarnedAboutFail(CapturedOutput output) {
		advisor = (limit) -> limit.rule("token");
		try (Server server = Server.startLocal(Chat.class, with(WINDOW, "ratelimit.verification=warn"))) {
			assertThat(output).containsOnlyOnce("RateLimitAdvisor.rule = \"token\" is invalid");
			ChatClient chat = server.bean(ChatClient.class);
			assertThatThrownBy(() -> chat.prompt("Hello").call().content())
				.isInstanceOf(RateLimitConfigurationException.class);
		}
	}

	@Test
	void limitThatCannotHoldTheEstimateOfACallIsWarnedAbout(CapturedOutput output) {
		advisor = (limit) -> limit.rule("tokens").unit(RateLimitAdvisor.Unit.MONEY);
		start(WINDOW, "ratelimit.ai.prices.cheap.input=1", "ratelimit.ai.prices.cheap.output=2",
				"ratelimit.ai.prices.dear.input=100", "ratelimit.ai.prices.dear.output=200");
		assertThat(output)
			.contains("The RateLimitAdvisor of rule \"tokens\" estimates each call at 2001 units or more, "
					+ "and the limit \"tokens\" can never hold more than 10: calls are denied, unless their options allow "
					+ "fewer tokens. Write a larger max, 5000000 for 5.00, or expect fewer tokens of an answer: "
					+ ".answerTokens(100).");
		advisor = (limit) -> limit.rule("tokens");
		start(WINDOW);
		assertThat(output).containsOnlyOnce("estimates each call at 1001 units or more");
		advisor = (limit) -> limit.rule("tokens").answerTokens(9);
		start(WINDOW);
		advisor = (limit) -> limit.rule("tokens").plan((request) -> "large");
		start(WINDOW, "ratelimit.rules.tokens.plans.large.max=10000");
		assertThat(output).containsOnlyOnce("estimates each call at 1001 units or more")
			.doesNotContain("estimates each call at 10 units");
	}

	private static void start(String... properties) {
		Server.startLocal(Chat.class, with(properties)).close();
	}

	@Test
	void callWithoutKeyOrPriceGoesOnInOtherModes(CapturedOutput output) {
		advisor = (limit) -> limit.rule("tokens").keyParam("tenant").unit(RateLimitAdvisor.Unit.MONEY);
		for (String mode : new String[] { "shadow", "off" }) {
			try (Server server = Server.startLocal(Chat.class, with(WINDOW, "ratelimit.rules.tokens.mode=" + mode,
					"ratelimit.ai.prices.m.input=1", "ratelimit.ai.prices.m.output=1"))) {
				server.bean(AiModel.class).streams(Flux.just(AiModel.answer("Hi", null, null)));
				ChatClient chat = server.bean(ChatClient.class);
				assertThat(chat.prompt("Hello").call().content()).isEqualTo("Hello");
				assertThat(chat.prompt("Hello").stream().content().blockLast()).isEqualTo("Hi");
			}
			assertThat(output).containsOnlyOnce("The rule is in shadow mode, so such calls go on and are not counted.");
		}
	}

	@Test
	void invalidPricesStopStartup() {
		UnaryOperator<RateLimitAdvisor.Builder> any = (limit) -> limit.rule("tokens");
		assertMistake(any, "ratelimit.ai.prices[gpt-4.1].output is missing", "Write the price of answers", WINDOW,
				"ratelimit.ai.prices[gpt-4.1].input=2");
		assertMistake(any, "ratelimit.ai.prices[m].input = 0.0000001 is invalid", "at most six decimals", WINDOW,
				"ratelimit.ai.prices.m.input=0.0000001", "ratelimit.ai.prices.m.output=1");
		assertMistake(any, "ratelimit.ai.prices[m].per = \"1B\" is invalid", "Write per: 1M", WINDOW,
				"ratelimit.ai.prices.m.input=1", "ratelimit.ai.prices.m.output=1", "ratelimit.ai.prices.m.per=1B");
	}

	@Test
	void pricesThatCannotBeReadStopStartup(CapturedOutput output) {
		advisor = (limit) -> limit.rule("tokens");
		assertReported(output, "ratelimit.ai.prices.m.input = \"cheap\" is invalid: it is not a number.",
				"ratelimit.ai.prices.m.input=cheap");
		assertReported(output, "ratelimit.ai.prices.m.price = \"1\" is invalid: there is no such property.",
				"ratelimit.ai.prices.m.price=1");
		assertReported(output,
				"Write a name that contains a dot in brackets: ratelimit.ai.prices[gpt-4.1].input; in YAML also in quotation marks.",
				"ratelimit.ai.prices.gpt-4.1.input=2");
	}

	private static void assertReported(CapturedOutput output, String message, String property) {
		assertThatThrownBy(() -> Server.startLocal(Chat.class, with(WINDOW, property)).close())
			.isInstanceOf(RuntimeException.class);
		assertThat(output).contains(message);
	}

	private static void assertMistake(UnaryOperator<RateLimitAdvisor.Builder> mistaken, String place, String remedy,
			String... properties) {
		advisor = mistaken;
		assertThatThrownBy(() -> Server.startLocal(Chat.class, with(properties)).close())
			.extracting((failure) -> NestedExceptionUtils.getMostSpecificCause(failure))
			.isInstanceOf(RateLimitConfigurationException.class)
			.asString()
			.contains(place, remedy);
	}

	private static String[] with(String... properties) {
		String[] all = Arrays.copyOf(properties, properties.length + 2);
		all[properties.length] = TOKENS;
		all[properties.length + 1] = "ratelimit.rules.tokens.period=60s";
		return all;
	}

	@Test
	void disabledLimiterLimitsNoChatClient() {
		advisor = (limit) -> limit.rule("tokens");
		try (Server server = Server.startLocal(Chat.class, with(WINDOW, "ratelimit.enabled=false"))) {
			server.bean(AiModel.class).streams(Flux.just(AiModel.answer("Hi", null, null)));
			assertThat(server.bean(ChatClient.class).prompt("Hello").call().content()).isEqualTo("Hello");
			assertThat(server.bean(ChatClient.class).prompt("Hello").stream().content().blockLast()).isEqualTo("Hi");
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Chat {

		@Bean
		AiModel model(ToolCallingManager tools) {
			return new AiModel(tools);
		}

		@Bean
		ChatClient chat(ChatClient.Builder chat, RateLimitAdvisor.Builder limit) {
			return chat.defaultAdvisors(advisor.apply(limit).build()).build();
		}

	}

}
