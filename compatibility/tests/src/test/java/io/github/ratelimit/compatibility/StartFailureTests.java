package io.github.ratelimit.compatibility;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Mistakes stop startup with a description and an action, in every version of Spring
 * Boot.
 */
@ExtendWith(OutputCaptureExtension.class)
class StartFailureTests {

	@Test
	void describesAnUnknownVariable(CapturedOutput output) {
		assertThatException().isThrownBy(() -> Server.start(WebApplicationType.NONE, UnknownVariableApplication.class));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains(
					"Invalid @RateLimited on Replies.reply(String): key \"#usrId\" uses the unknown variable 'usrId'. "
							+ "Known: #userId, ")
			.contains("Action:");
	}

	@Test
	void describesALimitedBeanThatAProcessorOfBeansNeeds(CapturedOutput output) {
		assertThatException().isThrownBy(() -> Server.start(WebApplicationType.NONE, EarlyApplication.class));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Spring creates the bean 'audit' before it creates proxies, because 'processor', which processes "
					+ "beans, needs it");
	}

	@ParameterizedTest
	@ValueSource(strings = { "off", "no", "0" })
	void textThatMeansFalseSwitchesLimitsOff(String value) {
		try (Server server = Server.startLocal(EarlyApplication.class, "ratelimit.enabled=" + value)) {
			server.bean(Audit.class).write();
			server.bean(Audit.class).write();
		}
	}

	@Test
	void describesAPropertyWithoutEffect(CapturedOutput output) {
		assertThatException().isThrownBy(() -> Server.start(WebApplicationType.NONE, Server.AutoConfigured.class,
				"ratelimit.rules.reply.max=5", "ratelimit.rules.reply.period=60", "ratelimit.rules.reply.burst=10"));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("ratelimit.rules.reply.burst = 10 is invalid: it has no effect with the algorithm sliding-log")
			.contains("Remove it, or write algorithm: token-bucket or algorithm: leaky-bucket.");
	}

	@Test
	void describesAnUnknownAlgorithm(CapturedOutput output) {
		assertThatException().isThrownBy(() -> Server.start(WebApplicationType.NONE, Server.AutoConfigured.class,
				"ratelimit.rules.reply.algorithm=sliding"));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains(
					"ratelimit.rules.reply.algorithm = \"sliding\" is invalid: it is not one of sliding-log, token-bucket");
	}

	/**
	 * Spring Boot 4.1 reads an empty document as a property without a name.
	 */
	@Test
	void emptyFileIsNoMistake(@TempDir Path directory) throws IOException {
		Path empty = Files.writeString(directory.resolve("values.yml"), "{}");
		try (Server server = Server.startLocal(Server.AutoConfigured.class, "spring.config.import=" + empty.toUri(),
				"ratelimit.rules.reply.max=5", "ratelimit.rules.reply.period=60")) {
			assertThat(server.remaining("reply", "laoqian")).isEqualTo(5);
		}
	}

	@Test
	void describesAMistakeBesideEmptyNames(@TempDir Path directory, CapturedOutput output) throws IOException {
		Path empty = Files.writeString(directory.resolve("values.yml"), "{}");
		Path nameless = Files.writeString(directory.resolve("nameless.yml"),
				"\"\": 1\n\"ratelimit.\": 2\nratelimit.rules: {reply: {maxx: 5, period: 60}}\n");
		assertThatException().isThrownBy(() -> Server.start(WebApplicationType.NONE, Server.AutoConfigured.class,
				"spring.config.import=" + empty.toUri() + ',' + nameless.toUri()));
		assertThat(output).contains("APPLICATION FAILED TO START").contains("Did you mean ratelimit.rules.reply.max?");
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class UnknownVariableApplication {

		@Bean
		Replies replies() {
			return new Replies();
		}

	}

	static class Replies {

		@RateLimited(key = "#usrId", max = 5, period = 60)
		public void reply(String userId) {
		}

	}

	static class Audit {

		@RateLimited(max = 1, period = 60)
		public void write() {
		}

	}

	static class Processor implements BeanPostProcessor, Ordered {

		Processor(Audit audit) {
		}

		@Override
		public int getOrder() {
			return 0;
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class EarlyApplication {

		@Bean
		static Audit audit() {
			return new Audit();
		}

		@Bean
		static Processor processor(Audit audit) {
			return new Processor(audit);
		}

	}

}
