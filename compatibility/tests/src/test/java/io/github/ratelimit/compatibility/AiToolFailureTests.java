package io.github.ratelimit.compatibility;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.ai.ToolDenials;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.ai.tool.execution.ToolExecutionExceptionProcessor;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Processors of the failures of tools that are beans of the application.
 */
@Tag("in-ci")
@OnOuterLines
class AiToolFailureTests {

	private static final String[] RULE = { "ratelimit.rules.search.max=1", "ratelimit.rules.search.period=60s" };

	@Test
	void processorKeepsItsClassAndItsListeners() {
		try (Server server = Server.startLocal(Forum.class, RULE)) {
			Apologies apologies = server.bean(Desk.class).apologies();
			assertThat(apologies.events()).hasSize(1);
			assertThat(apologies.process(failure(new IllegalStateException("broken")))).isEqualTo("Sorry: broken");
			assertThat(apologies.process(denial(server))).startsWith("The tool \"search\" has been called too often.");
			assertThat(apologies.process("broken")).isEqualTo("Sorry: broken");
		}
	}

	@Test
	void disabledLimiterLeavesTheProcessorAsItIs() {
		try (Server server = Server.startLocal(Forum.class, "ratelimit.enabled=false")) {
			assertThat(server.bean(ToolExecutionExceptionProcessor.class)).isExactlyInstanceOf(Apologies.class);
		}
	}

	@Test
	void processorsWithoutSubclassesAnswerDenialsToo() {
		try (Server server = Server.startLocal(Forum.class, RULE)) {
			ToolExecutionException denial = denial(server);
			List<ToolExecutionExceptionProcessor> processors = List.of((failure) -> "Sorry: " + failure.getMessage(),
					new Finished(), new Hidden(), new Fixed());
			assertThat(processors).map(ToolDenials::before).allSatisfy((processor) -> {
				assertThat(processor.process(denial)).startsWith("The tool \"search\" has been called too often.");
				assertThat(processor.process(failure(new IllegalStateException("broken")))).isEqualTo("Sorry: broken");
			});
		}
	}

	@Test
	void sentenceTellsWhetherAndWhenTheToolCanBeCalledAgain() {
		assertThat(sentence(denial(Duration.ofMillis(1))))
			.isEqualTo("has been called too often. It can be called again in 1 second.");
		assertThat(sentence(denial(Duration.ofMillis(1_001))))
			.isEqualTo("has been called too often. It can be called again in 2 seconds.");
		assertThat(sentence(denial(Duration.ZERO))).isEqualTo("is busy. It can be called again later.");
		assertThat(sentence(denial(Decision.NEVER)))
			.isEqualTo("cannot be called in this way: the call exceeds its rate limit.");
		assertThat(sentence(new RateLimiterUnavailableException("search", null)))
			.isEqualTo("cannot be called at the moment. It can be called again later.");
	}

	private static String sentence(RuntimeException failure) {
		String answer = ToolDenials.before((other) -> "Sorry").process(failure(failure));
		String tool = "The tool \"search\" ";
		assertThat(answer).startsWith(tool);
		return answer.substring(tool.length());
	}

	private static RateLimitExceededException denial(Duration retryAfter) {
		return new RateLimitExceededException(new Decision(false, "search", 1, 0, retryAfter, retryAfter, Duration.ZERO,
				List.of("search"), List.of(), Decision.Origin.LOCAL));
	}

	private static ToolExecutionException denial(Server server) {
		RateLimiter search = server.bean(RateLimiterRegistry.class).limiter("search");
		search.tryAcquire("");
		return failure(new RateLimitExceededException(search.tryAcquire("")));
	}

	private static ToolExecutionException failure(RuntimeException cause) {
		return new ToolExecutionException(
				ToolDefinition.builder().name("search").description("Search the forum").inputSchema("{}").build(),
				cause);
	}

	@Import({ Apologies.class, Desk.class })
	static class Forum {

	}

	record Desk(Apologies apologies) {

	}

	static class Apologies implements ToolExecutionExceptionProcessor {

		private final List<ApplicationReadyEvent> events = new CopyOnWriteArrayList<>();

		@Override
		public String process(ToolExecutionException failure) {
			return process(failure.getMessage());
		}

		public String process(String message) {
			return "Sorry: " + message;
		}

		@EventListener
		public void ready(ApplicationReadyEvent event) {
			this.events.add(event);
		}

		public List<ApplicationReadyEvent> events() {
			return this.events;
		}

	}

	static final class Finished extends Apologies {

	}

	private static class Hidden extends Apologies {

		private Hidden() {
		}

	}

	static class Fixed extends Apologies {

		private final String apology = "Sorry: ";

		@Override
		public final String process(ToolExecutionException failure) {
			return this.apology + failure.getMessage();
		}

	}

}
