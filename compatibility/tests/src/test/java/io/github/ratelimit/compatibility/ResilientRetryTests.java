package io.github.ratelimit.compatibility;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Limiting comes before the retries of Spring Framework 7, unless configured otherwise.
 */
@OnOuterLines
class ResilientRetryTests {

	@AutoClose
	private static final Server application = Server.startLocal(Retries.class);

	@Test
	void threeAttemptsOfACallTakeOnePermit() {
		assertThat(application.bean(Mail.class).send("laoqian")).isEqualTo("sent at attempt 3");
		assertThat(application.remaining("mail", "laoqian")).isEqualTo(1);
	}

	@Test
	void threeAttemptsOfASubscriptionTakeOnePermit() {
		assertThat(application.bean(Mail.class).sendLater("laoqian").block()).isEqualTo("sent at attempt 3");
		assertThat(application.remaining("later-mail", "laoqian")).isEqualTo(1);
	}

	@Test
	void aDenialIsNotTriedAgain() {
		Mail mail = application.bean(Mail.class);
		mail.send("denied");
		mail.send("denied");
		int lookups = application.bean(Senders.class).lookups();
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> mail.send("denied"));
		assertThat(application.bean(Senders.class).lookups()).isEqualTo(lookups + 1);
	}

	@Test
	void everyAttemptHasATransactionOfItsOwn() {
		assertThat(stepsOfACall(application)).containsExactly("begin", "rollback", "begin", "rollback", "begin",
				"commit");
	}

	@ParameterizedTest
	@ValueSource(ints = { Integer.MAX_VALUE - 1, Integer.MAX_VALUE })
	void limitingThatIsOrderedBehindRetriesTakesFromEveryAttempt(int order) {
		try (Server ordered = Server.startLocal(Retries.class, "ratelimit.aop.order=" + order,
				"ratelimit.rules.mail.max=10")) {
			ordered.bean(Mail.class).send("laoqian");
			assertThat(ordered.remaining("mail", "laoqian")).isEqualTo(7);
		}
	}

	@Test
	void noTransactionSpansAttemptsBecauseOfLimiting() {
		try (Server ordered = Server.startLocal(RetriesOfTransactions.class, "ratelimit.rules.mail.max=10")) {
			assertThat(stepsOfACall(ordered)).containsExactly("begin", "rollback", "begin", "rollback", "begin",
					"commit");
			assertThat(ordered.remaining("mail", "recorded")).isEqualTo(7);
		}
	}

	private static List<String> stepsOfACall(Server application) {
		Mail mail = application.bean(Mail.class);
		return application.bean(RecordedTransactions.class).stepsOf(() -> mail.send("recorded"));
	}

	@EnableResilientMethods
	@EnableTransactionManagement
	@Import(Post.class)
	static class Retries {

	}

	@EnableResilientMethods
	@EnableTransactionManagement(order = 500)
	@Import(Post.class)
	static class RetriesOfTransactions {

	}

	@Import({ Mail.class, RecordedTransactions.class })
	static class Post {

		@Bean
		Senders senders() {
			return new Senders();
		}

	}

	static class Senders {

		private final AtomicInteger lookups = new AtomicInteger();

		public String name(String sender) {
			this.lookups.incrementAndGet();
			return sender;
		}

		int lookups() {
			return this.lookups.get();
		}

	}

	static class Mail {

		private final AtomicInteger attempts = new AtomicInteger();

		@Retryable(maxRetries = 2, delay = 1)
		@Transactional
		@RateLimited(name = "mail", key = "@senders.name(#sender)", max = 2, period = 60)
		public String send(String sender) {
			return attempt();
		}

		@Retryable(maxRetries = 2, delay = 1)
		@RateLimited(name = "later-mail", key = "#sender", max = 2, period = 60)
		public Mono<String> sendLater(String sender) {
			return Mono.fromSupplier(this::attempt);
		}

		private String attempt() {
			int attempt = this.attempts.incrementAndGet();
			if (attempt < 3) {
				throw new IllegalStateException("attempt " + attempt + " fails");
			}
			this.attempts.set(0);
			return "sent at attempt " + attempt;
		}

	}

}
