package io.github.ratelimit.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The message about a mistake in a properties file contains its line, and a remedy in the
 * format of the file.
 */
@ExtendWith(OutputCaptureExtension.class)
class PropertyFileMistakeTests {

	private static StartFailure failure(String file, String text, Path directory, CapturedOutput output)
			throws IOException {
		Files.writeString(directory.resolve(file), text);
		return StartFailure.of(output, List.of(), List.of("spring.config.location=" + directory.toUri()));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
							application.yml        | {ratelimit: {rules: {reply: {max: 0, period: 60}}}}             | max: 5
					application.properties | ratelimit.rules.reply.max=0; ratelimit.rules.reply.period=60    | ratelimit.rules.reply.max=5
					application.properties | ratelimit.rules.reply.max=five; ratelimit.rules.reply.period=60 | ratelimit.rules.reply.max=5
					application.yml        | {ratelimit: {rules: {reply: {maxx: 5, period: 60}}}}            | max: 5
					application.properties | ratelimit.rules.reply.maxx=5; ratelimit.rules.reply.period=60   | ratelimit.rules.reply.max=5
					application.properties | # no max; ratelimit.rules.reply.period=60                       | ratelimit.rules.reply.max=5
					""")
	void remedyIsSpeltAsTheFileIs(String file, String text, String remedy, @TempDir Path directory,
			CapturedOutput output) throws IOException {
		StartFailure failure = failure(file, text.replace("; ", "\n"), directory, output);
		assertThat(failure.description()).startsWith("ratelimit.rules.reply.max");
		assertThat(failure.description()).matches((description) -> description.contains("missing") != description
			.contains(" It is set in " + file + ", line 1."));
		assertThat(failure.action()).containsPattern(" " + Pattern.quote(remedy));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					ratelimit:;  rules:;    reply:;      max: 5;      period: 60s;      headroom:;        other: 1;        low: 120% | reply.headroom.low = 120% | 8
					ratelimit:;  rules:;    "[reply.x]":;      max: 5;      period: 60s                                         | reply.x = "reply.x"       | 4
					""")
	void placeOfAHeadroomAndOfANameWithADotIsNamed(String yaml, String mistake, int line, @TempDir Path directory,
			CapturedOutput output) throws IOException {
		StartFailure failure = failure("application.yml", yaml.replace(";", "\n"), directory, output);
		assertThat(failure.description()).startsWith("ratelimit.rules." + mistake + " is invalid: ")
			.endsWith(" It is set in application.yml, line " + line + '.');
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					ratelimit:;  rules:;    other: {max: 5, period: 60s};    reply:;      period: 60s                         | reply.max: no annotation names the rule "reply", and a limit admits max units per period. | 5
					ratelimit:;  rules:;    reply:;      max: 5;      algorithm: token-bucket                                  | reply.period: no annotation names the rule "reply", and a limit admits max units per period. | 4
					ratelimit:;  rules:;    reply:;      limits:;        - {name: a, max: 5, period: 60s};        - {name: b, period: 1d} | reply.limits[1].max: no annotation names the rule "reply", and a limit admits max units per period. | 6
					""")
	void placeOfAMissingValueIsThatOfTheRule(String yaml, String missing, int line, @TempDir Path directory,
			CapturedOutput output) throws IOException {
		StartFailure failure = failure("application.yml", yaml.replace(";", "\n"), directory, output);
		assertThat(failure.description()).isEqualTo("ratelimit.rules." + missing.replace(":", " is missing:")
				+ " The property next to it is set in application.yml, line " + line + '.');
	}

	@ParameterizedTest
	@MethodSource
	void colonWithoutASpaceIsNamed(String yaml, String description, @TempDir Path directory, CapturedOutput output)
			throws IOException {
		StartFailure failure = failure("application.yml", yaml, directory, output);
		assertThat(failure.description()).isEqualTo("ratelimit" + description);
		assertThat(failure.action()).endsWith("n YAML a space follows each colon.");
	}

	static Stream<Arguments> colonWithoutASpaceIsNamed() {
		String leftOut = " is not read as it is written: Spring Boot leaves out \":\". It is set in application.yml, line ";
		String group = " is invalid: it is a group of properties. It is set in application.yml, line ";
		return Stream.of(
				Arguments.of("{ratelimit: {rules: {reply: {max:3, period: 60s}}}}",
						".rules.reply.max:3" + leftOut + "1."),
				Arguments.of("{ratelimit: {rules: {sms: {limits: [{name:minute, max: 3}]}}}}",
						".rules.sms.limits[0].name:minute" + leftOut + "1."),
				Arguments.of("ratelimit:\n  rules:\n    reply:\n      max:3\n",
						".rules.reply = \"max:3\"" + group + "4."),
				Arguments.of("ratelimit:\n  rules:\n    reply:5/60s\n",
						".rules = \"reply:5/60s\" is invalid: rules is a map of names. It is set in application.yml, line "
								+ "3."),
				Arguments.of("ratelimit:\n  redis:\n    timeout:1s\n", ".redis = \"timeout:1s\"" + group + "3."),
				Arguments.of("ratelimit:\n  store:local\n", " = \"store:local\"" + group + "2."));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					ratelimit.enabled=true              | ratelimit: off                    | ratelimit = false is invalid: it is a group of properties.
					ratelimit.web.headers=ietf          | ratelimit: {web: true}            | ratelimit.web = true is invalid: it is a group of properties.
					ratelimit.jdbc.timeout=1s           | ratelimit: {jdbc: true}           | ratelimit.jdbc = true is invalid: it is a group of properties.
					ratelimit.redis.deny-cache.max-size=9 | ratelimit: {redis: {deny-cache: true}} | ratelimit.redis.deny-cache = true is invalid: it is a group of properties.
					ratelimit.rules.reply.max=5         | ratelimit: {rules: {reply: 5/60s}} | ratelimit.rules.reply = "5/60s" is invalid: it is a group of properties.
					ratelimit.rules.reply.max=5         | ratelimit: {rules: reply}         | ratelimit.rules = "reply" is invalid: rules is a map of names.
					""")
	void valueOfAGroupBesideItsPropertiesInAnotherFileIsRefused(String properties, String yaml, String description,
			@TempDir Path directory, CapturedOutput output) throws IOException {
		Files.writeString(directory.resolve("application.properties"), properties);
		StartFailure failure = failure("application.yml", yaml, directory, output);
		assertThat(failure.description()).isEqualTo(description + " It is set in application.yml, line 1.");
		assertThat(failure.action()).contains("below it").endsWith(" In YAML a space follows each colon.");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			回复       | 回复
			réply     | é
			send sms  | ' '
			api/v1    | /
			""")
	void nameThatSpringBootReadsAsAnotherIsRefused(String name, String leftOut, @TempDir Path directory,
			CapturedOutput output) throws IOException {
		StartFailure failure = failure("application.yml",
				"ratelimit:\n  rules:\n    " + name + ": {max: 5, period: 60s}\n", directory, output);
		assertThat(failure.description())
			.isEqualTo("ratelimit.rules." + name + " is not read as it is written: Spring Boot leaves out \"" + leftOut
					+ "\". It is set in application.yml, line 3.");
		assertThat(failure.action())
			.isEqualTo("Use lower case letters, digits and hyphens in names; in YAML a space follows each colon.");
	}

	@ParameterizedTest(name = "{1}")
	@MethodSource
	void remedyHasTheFormatOfTheFile(String file, String text, String description, String action,
			@TempDir Path directory, CapturedOutput output) throws IOException {
		StartFailure failure = failure(file, text.replace("; ", "\n"), directory, output);
		assertThat(failure.description()).isEqualTo(description);
		assertThat(failure.action()).isEqualTo(action);
	}

	static Stream<Arguments> remedyHasTheFormatOfTheFile() {
		return Stream.of(inYaml("{web: {requests: [{path: /a, methods: [POTS], rule: reply}]}}",
				"ratelimit.web.requests[0].methods[0] = \"POTS\" is invalid: it is not one of GET, HEAD, POST, PUT, "
						+ "PATCH, DELETE, OPTIONS, TRACE. Did you mean POST?",
				"Write methods: POST."),
				inProperties("web.requests[0].methods[0]=POTS",
						"ratelimit.web.requests[0].methods[0] = \"POTS\" is invalid: it is not one of GET, HEAD, POST, PUT, "
								+ "PATCH, DELETE, OPTIONS, TRACE. Did you mean POST?",
						"Write ratelimit.web.requests[0].methods=POST."),
				inYaml("{web: {headers: 'none, ietf'}}",
						"ratelimit.web.headers = none, ietf is invalid: none stands for no headers at all.",
						"Write headers: none, or leave it out of the list."),
				inYaml("{rules: {reply: {max: 5, period: 60s, headers: []}}}",
						"ratelimit.rules.reply.headers = \"\" is invalid: it is empty.",
						"Write headers: ietf or headers: none."),
				inYaml("{web: {ipv6-prefix: /64}}",
						"ratelimit.web.ipv6-prefix = \"/64\" is invalid: it is not a whole number.",
						"Write ipv6-prefix: 64 for example."),
				inYaml("{web: {order: first}}", "ratelimit.web.order = \"first\" is invalid: it is not a whole number.",
						"Write order: -50 for example."),
				inYaml("{aop: {order: x}}", "ratelimit.aop.order = \"x\" is invalid: it is not a whole number.",
						"Write order: 1000 for example."),
				inYaml("{local: {max-keys: 10k}}",
						"ratelimit.local.max-keys = \"10k\" is invalid: it is not a whole number.",
						"Write max-keys: 100000 for example."),
				inYaml("{rules: {reply: {max: 5, period: }}}",
						"ratelimit.rules.reply.period = \"\" is invalid: it is empty.", "Write a value, or remove it."),
				inYaml("{rules: {reply: {max: , period: 60s}}}",
						"ratelimit.rules.reply.max = \"\" is invalid: it is empty.", "Write a value, or remove it."),
				inYaml("{rules: {reply: {max-wait: }}}",
						"ratelimit.rules.reply.max-wait = \"\" is invalid: it is empty.",
						"Write a value, or remove it."),
				inYaml("{redis: {timeout: ''}}", "ratelimit.redis.timeout = \"\" is invalid: it is empty.",
						"Write a value, or remove it."),
				inYaml("{web: {ipv6-prefix: ''}}",
						"ratelimit.web.ipv6-prefix = \"\" is invalid: it is not a whole number.",
						"Write ipv6-prefix: 64 for example."),
				inYaml("{rules: {reply: {limits: {minute: {max: 1}}}}}",
						"ratelimit.rules.reply.limits.minute.max = 1 is invalid: limits is a list.",
						elements("rules.reply.limits")),
				inYaml("{rules: {reply: 5/60s}}",
						"ratelimit.rules.reply = \"5/60s\" is invalid: it is a group of properties.",
						"Write the properties below it: max: 5 and period: 60s for example. In YAML a space follows each "
								+ "colon."),
				inYaml("{web: 5}", "ratelimit.web = 5 is invalid: it is a group of properties.",
						"Write the properties below it: headers, ipv6-prefix, order, requests. In YAML a space follows "
								+ "each colon."),
				inYaml("{jdbc: true}", "ratelimit.jdbc = true is invalid: it is a group of properties.",
						"Write the properties below it: timeout, connections, initialize-schema, data-source. In YAML a space "
								+ "follows each colon."),
				inYaml("{verification: warning}",
						"ratelimit.verification = \"warning\" is invalid: it is not one of fail, warn. Did you mean warn?",
						"Write verification: warn."),
				inYaml("false", "ratelimit = false is invalid: it is a group of properties.",
						"Write the properties below it: enabled, store, key-prefix, verification, aop, defaults, rules, "
								+ "adaptive, web, client, grpc, redis, local, top, ai, jdbc. In YAML a space follows each colon."),
				inProperties("rules=reply", "ratelimit.rules = \"reply\" is invalid: rules is a map of names.",
						"Write a name, and below it the properties: ratelimit.rules.reply for example. In YAML a space "
								+ "follows each colon."),
				inYaml("{rules: {sms: {limits: few}}}",
						"ratelimit.rules.sms.limits = \"few\" is invalid: limits is a list.",
						elements("rules.sms.limits")),
				inYaml("{web: {requests: /api/**}}",
						"ratelimit.web.requests = \"/api/**\" is invalid: requests is a list.",
						elements("web.requests")),
				inYaml("{rules: {Reply: {max: 5, period: 60s}}}",
						"ratelimit.rules.Reply = \"Reply\" is invalid: the name of a rule becomes part of Redis keys, "
								+ "headers and metric tags.",
						"Use 1 to 100 lower case letters, digits and hyphens, \"reply\" for example."),
				inYaml("{rules: {'[回复]': {max: 5, period: 60s}}}",
						"ratelimit.rules.回复 = \"回复\" is invalid: the name of a rule becomes part of Redis keys, "
								+ "headers and metric tags.",
						"Use 1 to 100 lower case letters, digits and hyphens, \"reply\" for example."),
				inYaml("{rules: [{max: 5}]}",
						"ratelimit.rules[0] = {...} is invalid: rules is a map of names, not a list.",
						"Write a name, and below it the properties: ratelimit.rules.reply for example."),
				inYaml("{rules: {reply: {max: 5, period: 60s, plan: '#plan', plans: [{max: 7}]}}}",
						"ratelimit.rules.reply.plans[0] = {...} is invalid: plans is a map of names, not a list.",
						"Write a name, and below it the properties: ratelimit.rules.reply.plans.reply for example."),
				inYaml("{rules: [{name: reply, max: 5, period: 60s}]}",
						"ratelimit.rules[0].name = \"reply\" is invalid: rules is a map of names, not a list.",
						"Write a name, and below it the properties: ratelimit.rules.reply for example."));
	}

	private static String elements(String list) {
		return "In YAML begin each element with a hyphen; elsewhere write its number, ratelimit." + list
				+ "[0] for example.";
	}

	private static Arguments inYaml(String properties, String description, String action) {
		return Arguments.of("application.yml", "ratelimit: " + properties,
				description + " It is set in application.yml, line 1.", action);
	}

	private static Arguments inProperties(String property, String description, String action) {
		return Arguments.of("application.properties", "ratelimit." + property,
				description + " It is set in application.properties, line 1.", action);
	}

	@Test
	void messageIsAsDocumented(@TempDir Path directory, CapturedOutput output) throws IOException {
		StartFailure failure = failure("application.yml", """
				ratelimit:
				  rules:
				    reply:
				      max: 5
				      perod: 60s
				""", directory, output);
		assertThat(Path.of("..", "docs", "configuration.md")).content()
			.contains("Description:\n\n" + failure.description() + "\n\nAction:\n\n" + failure.action() + "\n");
	}

}
