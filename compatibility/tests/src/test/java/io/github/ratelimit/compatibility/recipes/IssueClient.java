package io.github.ratelimit.compatibility.recipes;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

@Component
public class IssueClient {

	private final RestClient github;

	public IssueClient(RestClient.Builder builder, @Value("${github.url:https://api.github.com}") String url) {
		this.github = builder.baseUrl(url).build();
	}

	public String issue(int number) {
		return this.github.get()
			.uri("/repos/spring-projects/spring-boot/issues/{number}", number)
			.retrieve()
			.body(String.class);
	}

}
