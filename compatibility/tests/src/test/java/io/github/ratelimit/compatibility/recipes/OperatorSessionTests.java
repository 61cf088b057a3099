package io.github.ratelimit.compatibility.recipes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.compatibility.OnNewestLine;
import io.github.ratelimit.compatibility.Server;
import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.api.Test;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Commands of an operator, run by a shell unchanged except for the ports.
 */
@OnNewestLine
class OperatorSessionTests {

	private static final Path DOCUMENT = Path.of("..", "..", "docs", "run-time-rules.md");

	@Test
	void everyCommandHasTheDocumentedEffect() throws Exception {
		try (RedisProcess redis = RedisProcess.start(); Server server = start(redis)) {
			List<String> answers = run(session().replaceAll("localhost:\\d+", "localhost:" + server.port()));
			assertThat(answers).hasSize(16);
			assertThat(answers.get(0)).contains("\"max\":5,\"period\":\"1m\"",
					"\"max\":\"@RateLimited on ReplyController.reply(String): max\"");
			assertThat(answers.get(1)).isEqualTo("200 200 200 200 200 429 ");
			assertThat(answers.get(2)).contains("\"used\":5", "\"remaining\":0", "The next call passes in ",
					"admits 5 per 1m: 5 of 5 used, 0 left; unused again in ");
			assertThat(answers.get(3)).contains("\"max\":10", "\"max\":\"run time\"", "in every instance");
			assertThat(answers.get(4)).contains("\"used\":5", "\"remaining\":5", "\"nextCallAfterMs\":0");
			assertThat(answers.get(5)).contains("\"used\":0", "\"capacity\":10");
			assertThat(answers.get(6)).contains("\"key\":\"a/b 100%:reply\"", "\"used\":0");
			assertThat(answers.get(7)).contains("\"key\":\"a/b 100%:reply\"");
			assertThat(answers.get(8)).contains("\"mode\":\"shadow\"", "\"max\":10");
			assertThat(answers.get(9)).contains("\"overrides\":{\"reply-controller-reply\":{\"made\":\"20");
			assertThat(answers.get(10)).contains("\"status\":400",
					"max of \\\"reply-controller-reply\\\" = 20000 is invalid: the algorithm sliding-log keeps one entry");
			assertThat(answers.get(11)).contains("\"max\":5").doesNotContain("override\"");
			assertThat(answers.get(12)).isEqualTo(answers.get(11)).contains("\"mode\":\"enforce\"");
			assertThat(answers.get(13)).contains("\"key\":\"partner:reply\"",
					"\"override\":{\"max\":900,\"until\":\"20");
			assertThat(answers.get(14))
				.contains("max = 900 comes from the override of key \\\"partner:reply\\\", period = 1m");
			assertThat(answers.get(15)).contains("\"capacity\":5").doesNotContain("override\"");
		}
	}

	private static Server start(RedisProcess redis) {
		return RecipeServer.start(ReplyController.class, "", "ratelimit.store=redis",
				"spring.data.redis.port=" + redis.port(),
				"management.endpoints.web.exposure.include=health,ratelimits");
	}

	private static String session() throws IOException {
		String document = Files.readString(DOCUMENT);
		int from = document.indexOf("```sh\n", document.indexOf("## An operator's session")) + "```sh\n".length();
		return document.substring(from, document.indexOf("```", from));
	}

	/**
	 * Run all commands in one shell.
	 * @return the responses to all curl commands, in order
	 */
	private static List<String> run(String session) throws IOException, InterruptedException {
		StringBuilder script = new StringBuilder();
		session.lines().forEach((line) -> {
			script.append(line).append('\n');
			if (line.contains("curl")) {
				script.append("echo; echo -----\n");
			}
		});
		Process shell = new ProcessBuilder("timeout", "60", "bash", "-eu", "-c", script.toString())
			.redirectErrorStream(true)
			.start();
		String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(shell.waitFor(1, TimeUnit.MINUTES)).isTrue();
		assertThat(shell.exitValue()).as(output).isZero();
		List<String> answers = new ArrayList<>(List.of(output.split("\n-----\n", -1)));
		answers.remove(answers.size() - 1);
		return answers;
	}

	/**
	 * The sample's.
	 */
	@RestController
	static class ReplyController {

		@PostMapping("/replies")
		@RateLimited(key = "#userId + ':reply'", period = 60, max = 5)
		public String reply(@RequestParam String userId) {
			return "replied";
		}

	}

}
