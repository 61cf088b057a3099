package io.github.ratelimit.sample;

import java.net.http.HttpResponse;
import java.time.Duration;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ForumApplication}, over real HTTP and with the Redis it starts itself.
 */
@ForumTest
@Timeout(60)
class ForumApplicationTests {

	@LocalServerPort
	private int port;

	private ForumClient forum;

	@BeforeEach
	void connect() {
		this.forum = new ForumClient(this.port);
	}

	@Test
	void deniesSixthReplyWithinAMinute() {
		for (int i = 1; i <= 5; i++) {
			HttpResponse<String> reply = this.forum.reply("writer");
			assertThat(reply.statusCode()).as("reply %d", i).isEqualTo(200);
			assertThat(reply.body()).contains("\"userId\":\"writer\"");
		}
		HttpResponse<String> sixth = this.forum.reply("writer");
		assertThat(sixth.statusCode()).isEqualTo(429);
		assertThat(sixth.headers().firstValueAsLong("Retry-After").orElseThrow()).isBetween(1L, 60L);
		assertThat(sixth.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		assertThat(sixth.body()).contains("\"status\":429");
	}

	@Test
	void countsEachUserAlone() {
		for (int i = 1; i <= 6; i++) {
			this.forum.reply("eager");
		}
		assertThat(this.forum.reply("eager").statusCode()).isEqualTo(429);
		assertThat(this.forum.reply("patient").statusCode()).isEqualTo(200);
	}

	@Test
	void countsWrongPasswordsOnlyAndBansWhoKeepsGuessing() {
		for (int i = 1; i <= 5; i++) {
			assertThat(this.forum.login("writer", "sesame").statusCode()).isEqualTo(201);
			assertThat(this.forum.login("writer", "123456").statusCode()).isEqualTo(401);
		}
		for (int i = 1; i <= 10; i++) {
			assertThat(this.forum.login("writer", "123456").statusCode()).isEqualTo(429);
		}
		assertThat(this.forum.login("writer", "sesame").body()).contains("\"violated-policies\":[\"login-ban\"]");
	}

	@Test
	void limitsSearchByTheRuleInApplicationYml() {
		this.forum.search("someone else");
		long start = System.nanoTime();
		int admitted = 0;
		while (admitted < 100 && this.forum.search("reader").statusCode() == 200) {
			admitted++;
		}
		Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
		int cameBack = (int) elapsed.dividedBy(Duration.ofSeconds(2));
		assertThat(admitted).isBetween(15, 15 + cameBack);
	}

}
