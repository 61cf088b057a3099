package io.github.ratelimit.compatibility;

import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Import;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.AuthenticationCredentialsNotFoundException;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.method.configuration.EnableReactiveMethodSecurity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Limiting comes after method security, unless configured otherwise.
 */
@Tag("security")
@OnOuterLines
class SecuredMethodTests {

	@AutoClose
	private static final Server application = Server.startLocal(Secured.class);

	@Test
	void aCallThatIsRefusedTakesNoPermit() {
		Articles articles = application.bean(Articles.class);
		assertThatExceptionOfType(AuthenticationCredentialsNotFoundException.class)
			.isThrownBy(() -> articles.publish("laoqian"));
		assertThatExceptionOfType(AccessDeniedException.class)
			.isThrownBy(() -> Roles.as("READER", () -> articles.publish("laoqian")));
		assertThat(application.remaining("articles", "laoqian")).isEqualTo(2);
	}

	@Test
	void aCallThatIsAuthorizedTakesAPermit() {
		Articles articles = application.bean(Articles.class);
		assertThat(Roles.as("EDITOR", () -> articles.publish("editor"))).isEqualTo("published");
		assertThat(application.remaining("articles", "editor")).isEqualTo(1);
	}

	@Test
	void aResultThatIsWithheldHasTakenAPermit() {
		Articles articles = application.bean(Articles.class);
		assertThatExceptionOfType(AccessDeniedException.class)
			.isThrownBy(() -> Roles.as("READER", () -> articles.read("laoqian")));
		assertThat(application.remaining("read-articles", "laoqian")).isEqualTo(1);
	}

	@Test
	void aSubscriptionThatIsRefusedTakesNoPermit() {
		try (Server application = Server.startLocal(ReactiveSecured.class)) {
			Mono<String> published = application.bean(Articles.class).publishLater("laoqian");
			assertThatExceptionOfType(AccessDeniedException.class)
				.isThrownBy(() -> Roles.later("READER", published).block());
			assertThat(application.remaining("later-articles", "laoqian")).isEqualTo(2);
			assertThat(Roles.later("EDITOR", published).block()).isEqualTo("published");
			assertThat(application.remaining("later-articles", "laoqian")).isEqualTo(1);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 199 })
	void limitingOfLowerOrderTakesFromRefusedCalls(int order) {
		try (Server application = Server.startLocal(Secured.class, "ratelimit.aop.order=" + order)) {
			Articles articles = application.bean(Articles.class);
			assertThatExceptionOfType(AccessDeniedException.class)
				.isThrownBy(() -> Roles.as("READER", () -> articles.publish("laoqian")));
			assertThat(application.remaining("articles", "laoqian")).isEqualTo(1);
		}
	}

	@EnableMethodSecurity
	@Import(Articles.class)
	static class Secured {

	}

	@EnableReactiveMethodSecurity
	@Import(Articles.class)
	static class ReactiveSecured {

	}

	static class Articles {

		@PreAuthorize("hasRole('EDITOR')")
		@RateLimited(name = "articles", key = "#author", max = 2, period = 60)
		public String publish(String author) {
			return "published";
		}

		@PostAuthorize("hasRole('EDITOR')")
		@RateLimited(name = "read-articles", key = "#author", max = 2, period = 60)
		public String read(String author) {
			return "draft";
		}

		@PreAuthorize("hasRole('EDITOR')")
		@RateLimited(name = "later-articles", key = "#author", max = 2, period = 60)
		public Mono<String> publishLater(String author) {
			return Mono.just("published");
		}

	}

}
