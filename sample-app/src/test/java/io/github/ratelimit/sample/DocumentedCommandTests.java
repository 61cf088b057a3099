package io.github.ratelimit.sample;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Documented command that shows a denial, run by a shell unchanged except for the port.
 */
@ForumTest
@Timeout(60)
class DocumentedCommandTests {

	private static final List<String> DOCUMENTS = List.of("README.md", "docs/production.md");

	private static final Pattern BLOCK = Pattern.compile("^```sh\\R(for i in .+?)^```",
			Pattern.DOTALL | Pattern.MULTILINE);

	@LocalServerPort
	private int port;

	@Test
	void sixthReplyIsDenied() throws Exception {
		List<String> commands = commands();
		assertThat(commands).hasSize(DOCUMENTS.size());
		assertThat(Collections.frequency(commands, commands.get(0))).isEqualTo(commands.size());
		List<String> answers = run(commands.get(0).replace("localhost:8080", "localhost:" + this.port)).lines()
			.map(String::strip)
			.filter((line) -> line.matches("HTTP/.+|RateLimit: .+|Retry-After: .+"))
			.map((line) -> line.replaceAll("^HTTP/\\S+ (\\d+).*|^(\\S+): .*", "$1$2"))
			.toList();
		assertThat(answers).filteredOn("200"::equals).hasSize(5);
		assertThat(answers).filteredOn("RateLimit"::equals).hasSize(6);
		assertThat(answers.subList(10, answers.size())).containsExactlyInAnyOrder("429", "RateLimit", "Retry-After");
	}

	private static List<String> commands() throws IOException {
		StringBuilder text = new StringBuilder();
		for (String document : DOCUMENTS) {
			text.append(Files.readString(Path.of("..").resolve(document))).append('\n');
		}
		return BLOCK.matcher(text).results().map((MatchResult match) -> match.group(1)).toList();
	}

	private static String run(String command) throws IOException {
		Process shell = new ProcessBuilder("timeout", "60", "bash", "-eu", "-c", command).redirectErrorStream(true)
			.start();
		return new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
	}

}
