package io.github.ratelimit.compatibility.recipes;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

import io.github.ratelimit.compatibility.OnNewestLine;
import io.github.ratelimit.compatibility.Server;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

@OnNewestLine
class RecipeBatchTests {

	@AutoClose
	private static final Server server = RecipeServer.start(Application.class, "batch.yml");

	@Test
	void eachMailWaitsForItsTurn() {
		List<String> mails = List.of("a", "b", "c", "d", "e", "f");
		long start = System.nanoTime();
		server.bean(NewsletterJob.class).send(mails);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(99));
		assertThat(server.bean(MailSender.class).sent()).isEqualTo(mails);
	}

	@Test
	void aBatchWaitsForAllItsUnitsAtOnce() throws InterruptedException {
		NewsletterJob job = server.bean(NewsletterJob.class);
		List<String> mails = Collections.nCopies(60, "mail");
		long start = System.nanoTime();
		assertThat(job.report(mails)).isTrue();
		assertThat(job.report(mails)).isTrue();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(199));
		assertThat(job.report(Collections.nCopies(101, "mail"))).isFalse();
	}

	@Import({ MailSender.class, NewsletterJob.class })
	static class Application {

	}

}
