package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.ai.RateLimitAdvisor;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Chat clients with a budget of each tenant, in tokens and in money.
 */
@Configuration(proxyBeanMethods = false)
public class ChatBudgets {

	@Bean
	ChatClient chat(ChatClient.Builder chat, RateLimitAdvisor.Builder limit) {
		return chat.defaultAdvisors(limit.rule("tokens").keyParam("tenant").build()).build();
	}

	@Bean
	ChatClient paid(ChatClient.Builder chat, RateLimitAdvisor.Builder limit) {
		return chat.defaultAdvisors(limit.rule("spend").keyParam("tenant").unit(RateLimitAdvisor.Unit.MONEY).build())
			.build();
	}

	/**
	 * Ask the question of a tenant.
	 */
	public static class Questions {

		private final ChatClient chat;

		public Questions(ChatClient chat) {
			this.chat = chat;
		}

		public String ask(String tenant, String question) {
			return this.chat.prompt(question).advisors((advisors) -> advisors.param("tenant", tenant)).call().content();
		}

	}

}
