package io.github.ratelimit.compatibility;

import java.io.IOException;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Spellings on Tomcat, which decodes and normalizes paths to find a servlet.
 */
class ServletSpellingTests extends SpellingTests {

	ServletSpellingTests() {
		super(WebApplicationType.SERVLET, "static", "controller", "servlet");
	}

	@Test
	void everySpellingBehindAContextPathThatIsServedIsLimited() {
		everySpellingThatIsServedIsLimited("/forum", "server.servlet.context-path=/forum");
	}

	@Test
	void everySpellingThatIsServedIsLimitedWhereAntPathsAreMatched() {
		everySpellingThatIsServedIsLimited("", "spring.mvc.pathmatch.matching-strategy=ant_path_matcher");
	}

	@Override
	Class<?> application() {
		return ServletApplication.class;
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(SecretController.class)
	static class ServletApplication {

		@Bean
		ServletRegistrationBean<HttpServlet> secretServlet() {
			return new ServletRegistrationBean<>(new SecretServlet(), "/servlet/*");
		}

	}

	static class SecretServlet extends HttpServlet {

		private static final long serialVersionUID = 1L;

		@Override
		protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
			response.getWriter().print("not for everybody");
		}

	}

}
