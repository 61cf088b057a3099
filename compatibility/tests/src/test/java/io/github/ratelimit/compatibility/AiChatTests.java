package io.github.ratelimit.compatibility;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitKeyException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.ai.RateLimitAdvisor;
import io.github.ratelimit.compatibility.recipes.ChatBudgets;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * Calls, streams and tools of a real {@code ChatClient}, limited by tokens and by money.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AiChatTests {

	private static final long MAX = 10_000;

	private static final long PROMPT_AND_ANSWER = 3 + 1000;

	@AutoClose
	private Server forum;

	private AiModel model;

	private String tenant;

	abstract String store();

	@BeforeAll
	void start() {
		this.forum = Server.start(WebApplicationType.NONE, AiForum.class,
				"spring.config.import=classpath:recipes/chat-budgets.yml,classpath:ai-forum.yml", store());
		this.model = this.forum.bean(AiModel.class);
	}

	@BeforeEach
	void reset(TestInfo test) {
		this.model.reset();
		this.tenant = test.getDisplayName();
	}

	private ChatClient.ChatClientRequestSpec ask(String client) {
		return this.forum.bean(client, ChatClient.class)
			.prompt(new Prompt("Hello, World", this.model.getOptions()))
			.advisors((advisors) -> advisors.param("tenant", this.tenant));
	}

	private long remaining() {
		return this.forum.remaining("tokens", this.tenant);
	}

	@Test
	void callTakesTheTokensThatItsAnswerReports() {
		this.model.answers((prompt) -> AiModel.answer("Hi", null, new DefaultUsage(30, 70, 120)));
		assertThat(ask("chat").call().content()).isEqualTo("Hi");
		assertThat(remaining()).isEqualTo(MAX - 120);
	}

	@Test
	void documentedCallHasTheTenant() {
		this.model.answers((prompt) -> AiModel.answer("Hi", null, new DefaultUsage(1, 2)));
		assertThat(new ChatBudgets.Questions(this.forum.bean("chat", ChatClient.class)).ask(this.tenant, "Hello"))
			.isEqualTo("Hi");
		assertThat(remaining()).isEqualTo(MAX - 3);
	}

	@Test
	void estimateIsTakenWhileTheModelWorks() {
		AtomicLong left = new AtomicLong();
		this.model.answers((prompt) -> {
			left.set(remaining());
			return AiModel.answer("Hi", null, new DefaultUsage(1, 1));
		});
		ask("chat").call().content();
		assertThat(left).hasValue(MAX - PROMPT_AND_ANSWER);
		this.model.allows(50);
		ask("chat").call().content();
		assertThat(left).hasValue(MAX - 2 - 53);
	}

	@Test
	void deniedCallDoesNotReachTheModel() {
		this.model.answers((prompt) -> AiModel.answer("Hi", null, new DefaultUsage(5_000, 6_000)));
		ask("chat").call().content();
		assertThat(remaining()).isZero();
		assertThatThrownBy(() -> ask("chat").call().content()).isInstanceOfSatisfying(RateLimitExceededException.class,
				(denied) -> assertThat(denied.decision().retryAfter()).isBetween(Duration.ofSeconds(1),
						Duration.ofHours(1)));
		assertThat(this.model.calls()).isEqualTo(1);
	}

	@Test
	void callsAndStreamsWaitForTheirEstimate() {
		this.model.answers((prompt) -> AiModel.answer("Hi", null, new DefaultUsage(100, 1_000)));
		this.model.streams(Flux.just(AiModel.answer("Hi", null, new DefaultUsage(100, 1_000))));
		ask("patient").call().content();
		assertThat(ask("patient").call().content()).isEqualTo("Hi");
		assertThat(ask("patient").stream().content().collectList().block()).containsExactly("Hi");
	}

	@Test
	void modelMayBlockTheThreadOnWhichAStreamGoesOnThatHasWaited() {
		AtomicReference<Boolean> mustNotBlock = new AtomicReference<>();
		this.model.answers((prompt) -> AiModel.answer("Hi", null, new DefaultUsage(100, 1_000)));
		this.model.streams(Flux.defer(() -> {
			mustNotBlock.set(Schedulers.isInNonBlockingThread());
			return Flux.just(AiModel.answer("Hi", null, new DefaultUsage(100, 1_000)));
		}));
		ask("patient").call().content();
		ask("patient").stream().content().blockLast();
		assertThat(mustNotBlock).hasValue(false);
	}

	@Test
	void ruleOfAnAdvisorMaySettle() {
		assertThat(this.forum.bean(RateLimiterRegistry.class).limiter("tokens").rule().maySettle()).isTrue();
	}

	@Test
	void advisorIsBehindOthersUnlessItHasAnOrder() {
		RateLimitAdvisor.Builder limit = this.forum.bean(RateLimitAdvisor.Builder.class).rule("all");
		assertThat(limit.build().getOrder()).isEqualTo(RateLimitAdvisor.DEFAULT_ORDER);
		assertThat(limit.order(7).build().getOrder()).isEqualTo(7);
	}

	@Test
	void answerCannotBeExpectedToHaveLessThanNoTokens() {
		RateLimitAdvisor.Builder limit = this.forum.bean(RateLimitAdvisor.Builder.class);
		assertThatThrownBy(() -> limit.answerTokens(-1)).isInstanceOf(IllegalArgumentException.class)
			.hasMessage("An answer cannot have -1 tokens: write 0 or more");
	}

	@Test
	void answerWithoutUsageKeepsTheEstimate() {
		this.model.answers((prompt) -> AiModel.answer("Hi", null, null));
		ask("chat").call().content();
		assertThat(remaining()).isEqualTo(MAX - PROMPT_AND_ANSWER);
	}

	@Test
	void textOfACompleteAnswerCountsIfItReportsNoUsage() {
		this.model.answers((prompt) -> AiModel.answer("a".repeat(8_000), null, null));
		ask("chat").call().content();
		assertThat(remaining()).isEqualTo(MAX - 2_003);
		this.model.answers((prompt) -> AiModel.answer("a".repeat(8_000), null, new DefaultUsage(10, 20)));
		ask("chat").call().content();
		assertThat(remaining()).isEqualTo(MAX - 2_003 - 30);
	}

	@Test
	void callThatIsChargedAfterwardsIsDeniedWhenNothingIsLeft() {
		this.model.answers((prompt) -> AiModel.answer("Hi", null, new DefaultUsage(5_000, 6_000)));
		ask("afterwards").call().content();
		assertThat(remaining()).isZero();
		assertThatThrownBy(() -> ask("afterwards").call().content()).isInstanceOf(RateLimitExceededException.class);
		assertThat(this.model.calls()).isEqualTo(1);
	}

	@Test
	void callOnAThreadThatMustNotBlockIsLimited() {
		this.model.answers((prompt) -> AiModel.answer("Hi", null, new DefaultUsage(30, 70)));
		String answer = Mono.fromCallable(() -> ask("chat").call().content())
			.subscribeOn(Schedulers.parallel())
			.block(Duration.ofSeconds(30));
		assertThat(answer).isEqualTo("Hi");
		assertThat(remaining()).isEqualTo(MAX - 100);
	}

	@Test
	void failedCallKeepsTheEstimate() {
		this.model.answers((prompt) -> {
			throw new IllegalStateException("overloaded");
		});
		assertThatThrownBy(() -> ask("chat").call().content()).hasMessageContaining("overloaded");
		assertThat(remaining()).isEqualTo(MAX - PROMPT_AND_ANSWER);
	}

	@Test
	void streamIsSettledByTheUsageOfItsLastParts() {
		this.model
			.streams(Flux.just(AiModel.answer("H", null, null), AiModel.answer("i", null, new DefaultUsage(30, 0)),
					AiModel.answer("", null, new DefaultUsage(30, 70))));
		assertThat(String.join("", ask("chat").stream().content().collectList().block())).isEqualTo("Hi");
		assertThat(remaining()).isEqualTo(MAX - 100);
	}

	@Test
	void streamWithoutUsageKeepsTheEstimate() {
		this.model.streams(Flux.just(AiModel.answer("Hi", null, null)));
		ask("chat").stream().content().blockLast();
		assertThat(remaining()).isEqualTo(MAX - PROMPT_AND_ANSWER);
	}

	@Test
	void deniedStreamDoesNotReachTheModel() {
		this.model.streams(Flux.just(AiModel.answer("", null, new DefaultUsage(10_000, 1))));
		ask("chat").stream().content().blockLast();
		assertThatThrownBy(() -> ask("chat").stream().content().blockLast())
			.isInstanceOf(RateLimitExceededException.class);
		assertThat(this.model.calls()).isEqualTo(1);
	}

	@Test
	void canceledStreamKeepsTheEstimate() {
		this.model.streams(Flux.just(AiModel.answer("Hi", null, null)).concatWith(Flux.never()));
		assertThat(ask("chat").stream().content().blockFirst()).isEqualTo("Hi");
		assertThat(remaining()).isEqualTo(MAX - PROMPT_AND_ANSWER);
	}

	@Test
	void streamThatIsCanceledBeforeItsFirstPartKeepsTheEstimate() {
		this.model.streams(Flux.never());
		Disposable stream = ask("chat").stream().content().subscribe();
		await().atMost(30, TimeUnit.SECONDS).until(() -> this.model.calls() == 1);
		stream.dispose();
		awaitRemaining(MAX - PROMPT_AND_ANSWER);
	}

	@Test
	void canceledStreamIsSettledByTheUsageUntilThen() {
		this.model.streams(Flux.just(AiModel.answer("Hi", null, new DefaultUsage(40, 2))).concatWith(Flux.never()));
		ask("chat").stream().content().blockFirst();
		awaitRemaining(MAX - 42);
	}

	@Test
	void textOfABrokenStreamCounts() {
		this.model.streams(Flux.just(AiModel.answer("a".repeat(8_000), null, null)).concatWith(Flux.never()));
		ask("chat").stream().content().blockFirst();
		awaitRemaining(MAX - 2_003);
		this.model.streams(Flux.just(AiModel.answer("a".repeat(8_000), null, new DefaultUsage(10, 1)))
			.concatWith(Flux.error(new IllegalStateException("broken"))));
		assertThatThrownBy(() -> ask("chat").stream().content().blockLast()).hasMessageContaining("broken");
		awaitRemaining(MAX - 2_003 - 2_010);
	}

	@Test
	void requestDeniedAfterTheAnswerOfAToolKeepsTheEstimateOfTheFirst() {
		this.model.answers((prompt) -> {
			if (prompt.getInstructions().size() > 1) {
				throw denial();
			}
			return AiModel.callOfTool("fail", "{}");
		});
		assertThatThrownBy(this::askWithTools).isInstanceOf(RateLimitExceededException.class);
		assertThat(this.model.calls()).isEqualTo(2);
		assertThat(remaining()).isEqualTo(MAX - PROMPT_AND_ANSWER);
	}

	@Test
	void requestDeniedBeforeItLeavesTakesNothing() {
		this.model.answers((prompt) -> {
			throw denial();
		});
		assertThatThrownBy(() -> ask("chat").call().content()).isInstanceOf(RateLimitExceededException.class);
		assertThat(remaining()).isEqualTo(MAX);
		this.model.streams(Flux.error(this::denial));
		assertThatThrownBy(() -> ask("chat").stream().content().blockLast())
			.isInstanceOf(RateLimitExceededException.class);
		awaitRemaining(MAX);
	}

	@Test
	void streamDeniedAfterItsFirstPartsIsSettledByTheirUsage() {
		this.model.streams(
				Flux.just(AiModel.answer("Hi", null, new DefaultUsage(30, 70))).concatWith(Flux.error(this::denial)));
		assertThatThrownBy(() -> ask("chat").stream().content().blockLast())
			.isInstanceOf(RateLimitExceededException.class);
		awaitRemaining(MAX - 100);
	}

	/**
	 * Return what a rule of outgoing requests throws.
	 */
	private RateLimitExceededException denial() {
		RateLimiter outgoing = this.forum.bean(RateLimiterRegistry.class).limiter("planned");
		outgoing.tryAcquire("outgoing", 1_000);
		return new RateLimitExceededException(outgoing.tryAcquire("outgoing", 1));
	}

	private void awaitRemaining(long expected) {
		await().atMost(30, TimeUnit.SECONDS).untilAsserted(() -> assertThat(remaining()).isEqualTo(expected));
	}

	@Test
	void callWithoutItsKeyFails() {
		assertThatThrownBy(() -> this.forum.bean("chat", ChatClient.class).prompt("Hello").call().content())
			.isInstanceOf(RateLimitKeyException.class)
			.hasMessageContainingAll("\"tokens\" is null", "no advisor parameter \"tenant\"");
		assertThat(this.model.calls()).isZero();
	}

	@Test
	void planOfTheCallDecides() {
		this.model.answers((prompt) -> AiModel.answer("Hi", null, new DefaultUsage(3, 10)));
		askAsFree().call().content();
		assertThatThrownBy(() -> askAsFree().call().content()).isInstanceOf(RateLimitExceededException.class);
		ask("planned").call().content();
	}

	@Test
	void ofSeveralAdvisorsTheOneThatDeniesTakesNothingFromOthers() {
		this.model.answers((prompt) -> AiModel.answer("Hi", null, new DefaultUsage(10_000, 1)));
		this.model.streams(Flux.just(AiModel.answer("Hi", null, null)));
		this.forum.reset("");
		ask("twice").call().content();
		assertThat(this.forum.remaining("all", "")).isEqualTo(1_000_000 - 10_001);
		assertThatThrownBy(() -> ask("twice").call().content()).isInstanceOf(RateLimitExceededException.class);
		assertThatThrownBy(() -> ask("twice").stream().content().blockLast())
			.isInstanceOf(RateLimitExceededException.class);
		await().atMost(30, TimeUnit.SECONDS)
			.untilAsserted(() -> assertThat(this.forum.remaining("all", "")).isEqualTo(1_000_000 - 10_001));
	}

	@Test
	void advisorThatDeniesAQuestionWithToolsTakesNothingFromOthers() {
		this.model.answers((prompt) -> AiModel.answer("Hi", null, new DefaultUsage(10_000, 1)));
		this.forum.reset("");
		ask("twice").call().content();
		assertThatThrownBy(() -> askWithTools("twice").call().content()).isInstanceOf(RateLimitExceededException.class);
		assertThat(this.forum.remaining("all", "")).isEqualTo(1_000_000 - 10_001);
		assertThatThrownBy(() -> askWithTools("twice").stream().content().blockLast())
			.isInstanceOf(RateLimitExceededException.class);
		await().atMost(30, TimeUnit.SECONDS)
			.untilAsserted(() -> assertThat(this.forum.remaining("all", "")).isEqualTo(1_000_000 - 10_001));
		assertThat(this.model.calls()).isEqualTo(1);
	}

	@Test
	@SuppressWarnings({ "deprecation", "removal" })
	void deniedQuestionOfAToolKeepsTheEstimateOfTheRequestThatCalledIt() {
		this.model.answers((prompt) -> AiModel.answer("Hi", null, new DefaultUsage(3, 10)));
		askAsFree().call().content();
		this.model.answers((prompt) -> AiModel.callOfTool("ask", "{}"));
		assertThatThrownBy(() -> ask("chat").toolCallbacks(new Asking()).call().content())
			.isInstanceOf(RateLimitExceededException.class);
		assertThat(this.model.calls()).isEqualTo(2);
		assertThat(remaining()).isEqualTo(MAX - PROMPT_AND_ANSWER);
	}

	private ChatClient.ChatClientRequestSpec askAsFree() {
		return ask("planned").advisors((advisors) -> advisors.param("plan", "free"));
	}

	/**
	 * Tool that asks a model, and does not wrap its failures.
	 */
	private final class Asking implements ToolCallback {

		@Override
		public ToolDefinition getToolDefinition() {
			return ToolDefinition.builder().name("ask").description("Ask a model").inputSchema("{}").build();
		}

		@Override
		public String call(String input) {
			return askAsFree().call().content();
		}

	}

	@Test
	void moneyIsCountedByThePricesOfTheModelThatAnswers() {
		this.model.answers((prompt) -> AiModel.answer("Hi", "gpt-4o-2024-08-06", new DefaultUsage(1_001, 500, 1_600)));
		ask("paid").call().content();
		assertThat(spent()).isEqualTo(2503 + 5_990);
		this.model.answers((prompt) -> AiModel.answer("Hi", "claude/3.5", new DefaultUsage(7, 1)));
		ask("paid").call().content();
		assertThat(spent()).isEqualTo(2503 + 5_990 + 7 * 3 + 15);
	}

	@Test
	void moneyIsEstimatedByThePriceOfTheRequestedModel() {
		this.model.answers((prompt) -> AiModel.answer("Hi", null, null));
		ask("paid").call().content();
		assertThat(spent()).isEqualTo(8 + 10_000);
		this.model.isCalled(null);
		ask("paid").call().content();
		assertThat(spent()).isEqualTo(8 + 10_000 + 9 + 15_000);
	}

	@Test
	void answerWithoutUsageKeepsTheEstimateWhateverModelItNames() {
		this.model.answers((prompt) -> AiModel.answer("Hi", "claude/3.5", null));
		ask("paid").call().content();
		assertThat(spent()).isEqualTo(8 + 10_000);
	}

	@Test
	void modelWithoutPriceIsNotCalled() {
		this.model.isCalled("gpt-4o-mini");
		assertThatThrownBy(() -> ask("paid").call().content()).isInstanceOf(RateLimitConfigurationException.class)
			.hasMessageContainingAll("no price of the model \"gpt-4o-mini\"", "Known: claude/3.5, gpt-4.1, gpt-4o",
					"ratelimit.ai.prices: { \"[gpt-4o-mini]\": { input: ");
		assertThatThrownBy(() -> ask("paid").stream().content().blockLast())
			.isInstanceOf(RateLimitConfigurationException.class);
		assertThat(this.model.calls()).isZero();
		assertThat(spent()).isZero();
	}

	@Test
	void answerOfAModelWithoutPriceIsDear() {
		this.model.answers((prompt) -> AiModel.answer("Hi", "o9", new DefaultUsage(10, 10)));
		ask("paid").call().content();
		assertThat(spent()).isEqualTo(30 + 150);
	}

	private long spent() {
		return 5_000_000 - this.forum.remaining("spend", this.tenant);
	}

	@Test
	void deniedToolAnswersTheModelWithASentence() {
		this.forum.reset("");
		this.model.answers((prompt) -> (prompt.getInstructions().size() > 1) ? AiModel.answer("Done", null, null)
				: AiModel.callOfTool("search", "{\"text\":\"x\"}"));
		assertThat(askWithTools()).isEqualTo("Done");
		assertThat(answerOfTool()).isEqualTo("\"found x\"");
		assertThat(askWithTools()).isEqualTo("Done");
		assertThat(answerOfTool()).matches(
				"The tool \"search\" has been called too often\\. It can be called again in 3[56]\\d\\d seconds\\.");
	}

	@Test
	void keyOfAToolIsInItsContext() {
		this.model.answers((prompt) -> (prompt.getInstructions().size() > 1) ? AiModel.answer("Done", null, null)
				: AiModel.callOfTool("searchOwn", "{\"text\":\"x\"}"));
		assertThat(askWithTools()).isEqualTo("Done");
		assertThat(answerOfTool()).isEqualTo("\"found x\"");
		assertThat(this.forum.remaining("search-own", this.tenant)).isZero();
	}

	@Test
	void mistakeInTheKeyOfAToolFailsTheCallAndIsNotToldToTheModel() {
		this.model.answers((prompt) -> AiModel.callOfTool("searchBy", "{}"));
		assertThatThrownBy(this::askWithTools).hasCauseInstanceOf(RateLimitKeyException.class)
			.hasMessageContaining("#author");
		assertThat(this.model.calls()).isEqualTo(1);
		assertThat(remaining()).isEqualTo(MAX - PROMPT_AND_ANSWER);
	}

	@Test
	void otherFailuresOfToolsAreAsEver() {
		this.model.answers((prompt) -> (prompt.getInstructions().size() > 1) ? AiModel.answer("Done", null, null)
				: AiModel.callOfTool("fail", "{}"));
		assertThat(askWithTools()).isEqualTo("Done");
		assertThat(answerOfTool()).isEqualTo("the index is broken");
	}

	private String askWithTools() {
		return askWithTools("chat").call().content();
	}

	private ChatClient.ChatClientRequestSpec askWithTools(String client) {
		return ask(client).tools(this.forum.bean(AiForum.Search.class)).toolContext(Map.of("tenant", this.tenant));
	}

	private String answerOfTool() {
		List<Message> messages = this.model.lastMessages();
		return ((ToolResponseMessage) messages.get(messages.size() - 1)).getResponses().get(0).responseData();
	}

}
