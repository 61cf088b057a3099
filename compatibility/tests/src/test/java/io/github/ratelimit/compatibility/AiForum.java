package io.github.ratelimit.compatibility;

import io.github.ratelimit.ai.RateLimitAdvisor;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.compatibility.recipes.ChatBudgets;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Application with limited chat clients and tools.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import(ChatBudgets.class)
public class AiForum {

	@Bean
	AiModel model(ToolCallingManager tools) {
		return new AiModel(tools);
	}

	@Bean
	ChatClient planned(ChatClient.Builder chat, RateLimitAdvisor.Builder limit) {
		return chat
			.defaultAdvisors(limit.rule("planned")
				.key((request) -> (String) request.context().get("tenant"))
				.plan((request) -> (String) request.context().get("plan"))
				.answerTokens(10)
				.build())
			.build();
	}

	@Bean
	ChatClient twice(ChatClient.Builder chat, RateLimitAdvisor.Builder all, RateLimitAdvisor.Builder each) {
		return chat
			.defaultAdvisors(all.rule("all").order(RateLimitAdvisor.DEFAULT_ORDER - 1).build(),
					each.rule("tokens").keyParam("tenant").build())
			.build();
	}

	@Bean
	ChatClient patient(ChatClient.Builder chat, RateLimitAdvisor.Builder limit) {
		return chat.defaultAdvisors(limit.rule("patient").keyParam("tenant").build()).build();
	}

	@Bean
	ChatClient afterwards(ChatClient.Builder chat, RateLimitAdvisor.Builder limit) {
		return chat
			.defaultAdvisors(
					limit.rule("tokens").keyParam("tenant").promptTokens((prompt) -> 0).answerTokens(0).build())
			.build();
	}

	@Bean
	Search search() {
		return new Search();
	}

	public static class Search {

		@Tool(description = "Search the forum")
		@RateLimited(name = "search", max = 1, period = 3600)
		public String search(String text) {
			return "found " + text;
		}

		@Tool(description = "Search the topics of the tenant")
		@RateLimited(name = "search-own", key = "#context.context['tenant']", max = 1, period = 3600)
		public String searchOwn(String text, ToolContext context) {
			return "found " + text;
		}

		@Tool(description = "Search the topics of an author")
		@RateLimited(name = "search-by", key = "#author", max = 1, period = 3600)
		public String searchBy(String author) {
			return "found " + author;
		}

		@Tool(description = "Always fails")
		public String fail() {
			throw new IllegalStateException("the index is broken");
		}

	}

}
