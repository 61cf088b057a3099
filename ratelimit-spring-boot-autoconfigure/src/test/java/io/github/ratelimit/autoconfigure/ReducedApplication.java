package io.github.ratelimit.autoconfigure;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Application for reduced class paths: it starts with all available auto-configurations
 * and calls a limited method twice.
 */
public final class ReducedApplication {

	private ReducedApplication() {
	}

	/**
	 * Run the application.
	 * @param argument an argument of its command line
	 * @return "denied" for each second call, blocking or asynchronous, that was denied
	 */
	public static String run(String argument) {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Forum.class)
			.web(WebApplicationType.NONE)
			.run("--spring.main.banner-mode=off", argument)) {
			Forum forum = context.getBean(Forum.class);
			return denied(forum::reply) + ", " + denied(() -> forum.replyLater().join());
		}
	}

	private static String denied(Runnable call) {
		call.run();
		try {
			call.run();
			return "admitted";
		}
		catch (RateLimitExceededException ex) {
			return "denied";
		}
		catch (CompletionException ex) {
			return (ex.getCause() instanceof RateLimitExceededException) ? "denied" : "failed";
		}
	}

	/**
	 * Application class that is also the limited bean.
	 */
	@EnableAutoConfiguration
	public static class Forum {

		/**
		 * Reply now.
		 */
		@RateLimited(key = "'forum' + #root.methodName", max = 1, period = 3600)
		public void reply() {
		}

		/**
		 * Reply later.
		 * @return a completed future
		 */
		@RateLimited(max = 1, period = 3600)
		public CompletableFuture<String> replyLater() {
			return CompletableFuture.completedFuture("replied");
		}

	}

}
