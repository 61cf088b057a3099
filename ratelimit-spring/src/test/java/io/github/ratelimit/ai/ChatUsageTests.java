package io.github.ratelimit.ai;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.prompt.Prompt;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Estimates of prompts.
 */
class ChatUsageTests {

	@Test
	void callsOfToolsAndTheirAnswersCountAsTextDoes() {
		Prompt prompt = new Prompt(List.of(new UserMessage("a".repeat(8)),
				new AssistantMessage("a".repeat(4), Map.of(),
						List.of(new AssistantMessage.ToolCall("1", "function", "search", "a".repeat(40)))),
				new ToolResponseMessage(
						List.of(new ToolResponseMessage.ToolResponse("1", "search", "a".repeat(400))))));
		assertThat(ChatUsage.promptTokens(prompt)).isEqualTo((8 + 4 + 40 + 400) / 4);
	}

	@Test
	void fourBytesOfTextAreAToken() {
		assertThat(ChatUsage.promptTokens(new Prompt("abcd"))).isEqualTo(1);
		assertThat(ChatUsage.promptTokens(new Prompt("abcde"))).isEqualTo(2);
		assertThat(ChatUsage.promptTokens(new Prompt("老钱"))).isEqualTo(2);
	}

}
