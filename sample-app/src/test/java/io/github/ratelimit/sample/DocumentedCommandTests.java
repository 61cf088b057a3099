package io.github.ratelimit.sample;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Documented command that shows a denial, run by a shell unchanged except for the port,
 * and the documented answer.
 */
@ForumTest
@Timeout(60)
class DocumentedCommandTests {

	private static final List<String> DOCUMENTS = List.of("README.md", "docs/production.md");

	private static final Pattern BLOCK = Pattern.compile("^```sh\\R(for i in .+?)^```",
			Pattern.DOTALL | Pattern.MULTILINE);

	private static final Pattern ANSWER = Pattern.compile("^```http\\R(.+?)^```", Pattern.DOTALL | Pattern.MULTILINE);

	@LocalServerPort
	private int port;

	@Test
	void sixthReplyIsDenied() throws Exception {
		List<String> commands = commands();
		assertThat(commands).hasSize(DOCUMENTS.size());
		assertThat(Collections.frequency(commands, commands.get(0))).isEqualTo(commands.size());
		List<String> answers = run(commands.get(0)).lines()
			.map(String::strip)
			.filter((line) -> line.matches("HTTP/.+|RateLimit: .+|Retry-After: .+"))
			.map((line) -> line.replaceAll("^HTTP/\\S+ (\\d+).*|^(\\S+): .*", "$1$2"))
			.toList();
		assertThat(answers).filteredOn("200"::equals).hasSize(5);
		assertThat(answers).filteredOn("RateLimit"::equals).hasSize(6);
		assertThat(answers.subList(10, answers.size())).containsExactlyInAnyOrder("429", "RateLimit", "Retry-After");
	}

	@Test
	void sixthAnswerIsTheDocumentedOne() throws Exception {
		Matcher documented = ANSWER.matcher(Files.readString(Path.of("..", "README.md")));
		assertThat(documented.find()).isTrue();
		String answers = run(commands().get(0).replace("laoqian", "documented"));
		assertThat(withoutTimes(answers.substring(answers.lastIndexOf("HTTP/"))))
			.containsAll(withoutTimes(documented.group(1)));
	}

	private static List<String> withoutTimes(String answer) {
		return answer.lines().map((line) -> line.strip().replaceAll("\\b[56]\\d\\b", "60")).toList();
	}

	private static List<String> commands() throws IOException {
		StringBuilder text = new StringBuilder();
		for (String document : DOCUMENTS) {
			text.append(Files.readString(Path.of("..").resolve(document))).append('\n');
		}
		return BLOCK.matcher(text).results().map((MatchResult match) -> match.group(1)).toList();
	}

	private String run(String documented) throws IOException {
		String command = documented.replace("localhost:8080", "localhost:" + this.port);
		Process shell = new ProcessBuilder("timeout", "60", "bash", "-eu", "-c", command).redirectErrorStream(true)
			.start();
		return new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
	}

}
