package io.github.ratelimit.autoconfigure;

import java.sql.SQLException;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.document.CodeBlock;
import io.github.ratelimit.document.DocumentedCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.error.YAMLException;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * An application starts with the YAML in the documents.
 */
class DocumentedYamlTests {

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class, JdbcRateLimitAutoConfiguration.class,
				ServletRateLimitAutoConfiguration.class))
		.withBean(ReplyController.class)
		.withBean(DataSource.class, DocumentedYamlTests::unavailable);

	private static DataSource unavailable() {
		DataSource database = mock(DataSource.class);
		try {
			given(database.getConnection()).willThrow(SQLException.class);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
		return database;
	}

	@ParameterizedTest
	@MethodSource
	void startsAnApplication(CodeBlock block) {
		assertThat(block.code()).startsWith("ratelimit:");
		this.runner.withInitializer(YamlContext.with(block.code()))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	static Stream<CodeBlock> startsAnApplication() {
		return DocumentedCode.blocks("yaml");
	}

	@Test
	void thereAreSome() {
		assertThat(startsAnApplication()).extracting(CodeBlock::document)
			.contains("README.md", "docs/configuration.md", "docs/calendars.md");
	}

	@Test
	void aPropertyThatThereIsNotWouldFail() {
		this.runner.withInitializer(YamlContext.with("ratelimit:\n  rules:\n    sms: { max: 1, periods: 1m }\n"))
			.run((context) -> assertThat(context).hasFailed());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			key: #userId           |
			key: ip + #userId      | ip +
			key: "#userId"         | #userId
			key: 'all'             | all
			key: "'all'"           | 'all'
			key: "principal ?: ip" | principal ?: ip
			""")
	void unquotedExpressionLosesWhatYamlTakesForACommentOrAQuote(String yaml, String value) {
		StandardEnvironment environment = new StandardEnvironment();
		YamlContext.load(yaml, environment);
		assertThat(environment.getProperty("key")).isEqualTo((value != null) ? value : "");
	}

	@ParameterizedTest
	@ValueSource(strings = { "rule: { key: #userId, max: 5 }", "key: principal ?: ip", "key: 'a' + #userId",
			"plan: @plans.of(#tenant)", "unless: !#result", "settle: status < 400 ? 1 : 5" })
	void unquotedExpressionCannotBeRead(String yaml) {
		assertThatExceptionOfType(YAMLException.class)
			.isThrownBy(() -> YamlContext.load(yaml, new StandardEnvironment()));
	}

	static class ReplyController {

		@RateLimited(key = "#userId + ':reply'", period = 60, max = 5)
		public String reply(String userId, String text) {
			return text;
		}

	}

}
