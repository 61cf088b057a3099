package io.github.ratelimit.sample;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The forum with the profile {@code jdbc}, whose counts are in a database.
 */
@Timeout(120)
class ForumInDatabaseTests {

	@TempDir
	private Path folder;

	@Test
	void countsOutliveTheForum() {
		assertThat(replies(5)).containsOnly(200);
		assertThat(replies(2)).containsOnly(429);
	}

	private List<Integer> replies(int times) {
		try (ConfigurableApplicationContext forum = SpringApplication.run(ForumApplication.class, "--server.port=0",
				"--spring.profiles.active=jdbc", "--spring.datasource.url=jdbc:h2:file:" + this.folder.resolve("forum"),
				"--ratelimit.jdbc.timeout=10s")) {
			ForumClient client = new ForumClient(
					forum.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
			return Stream.generate(() -> client.reply("laoqian").statusCode()).limit(times).toList();
		}
	}

}
