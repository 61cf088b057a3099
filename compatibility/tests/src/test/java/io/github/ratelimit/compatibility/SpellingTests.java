package io.github.ratelimit.compatibility;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rule for a path applies to every spelling of the path that a server accepts.
 */
@OnOuterLines
abstract class SpellingTests {

	private static final String SECRET = "not for everybody";

	/**
	 * Spellings of a path whose first segment is {@code DIR} and second {@code FILE}.
	 */
	private static final List<String> SPELLINGS = List.of("/DIR/FILE", "//DIR/FILE", "///DIR/FILE", "/DIR//FILE",
			"//DIR//FILE", "/./DIR/FILE", "/DIR/./FILE", "/.//DIR/FILE", "/other/../DIR/FILE", "/DIR/../DIR/FILE",
			"/other//../DIR/FILE", "/../DIR/FILE", "/..//DIR/FILE", "/other/../../DIR/FILE", "/%2e/DIR/FILE",
			"/%2E%2E/DIR/FILE", "/other/%2e%2e/DIR/FILE", "/other/.%2e/DIR/FILE", "/%252e/DIR/FILE", "/DIR%2FFILE",
			"/DIR%2fFILE", "/%2FDIR/FILE", "/%2fDIR%2fFILE", "/other%2f..%2fDIR/FILE", "/DIR%252FFILE", "/DIR%5CFILE",
			"/DIR\\FILE", "\\DIR\\FILE", "/;a=b/DIR/FILE", "/DIR;a=b/FILE", "/DIR/FILE;a=b", "/DIR;/FILE;",
			"/.;/DIR/FILE", "/other/..;/DIR/FILE", "/other/..;a=b/DIR/FILE", "/DIR/FILE/", "/DIR/FILE//", "/DIR/FILE/.",
			"/DIR/FILE?a=b", "/DIR/FILE#a", "/DIR/FILE%20", "/DIR/FILE%00", "/DIR/FILE%3Ba", "/DIR/FILE%2e",
			"%2FDIR/FILE", "DIR/FILE", "http://localhost/DIR/FILE", "http://localhost//DIR/FILE",
			"http://localhost/./DIR/FILE");

	@TempDir
	static Path files;

	private final WebApplicationType type;

	private final List<String> directories;

	SpellingTests(WebApplicationType type, String... directories) {
		this.type = type;
		this.directories = List.of(directories);
	}

	@BeforeAll
	static void writeFile() throws IOException {
		Files.writeString(Files.createDirectories(files.resolve("static")).resolve("secret"), SECRET);
		Files.writeString(Files.createDirectories(files.resolve("other")).resolve("file"), "for everybody");
	}

	@Test
	void everySpellingThatIsServedIsLimited() {
		everySpellingThatIsServedIsLimited("");
	}

	void everySpellingThatIsServedIsLimited(String contextPath, String... properties) {
		List<String> served;
		try (Server server = start(properties)) {
			served = spellings(contextPath).filter((target) -> get(server, target).contains(SECRET)).toList();
		}
		for (String directory : this.directories) {
			assertThat(served).contains(contextPath + '/' + directory + "/secret");
		}
		assertThat(served).anyMatch((target) -> target.endsWith("//static/secret"));
		List<String> rules = new ArrayList<>(List.of(properties));
		for (int i = 0; i < this.directories.size(); i++) {
			rules.add("ratelimit.web.requests[" + i + "].path=/" + this.directories.get(i) + "/**");
			rules.add("ratelimit.web.requests[" + i + "].rule=secrets");
		}
		try (Server server = start(rules.toArray(String[]::new))) {
			assertThat(get(server, contextPath + '/' + this.directories.get(0) + "/secret")).contains(SECRET);
			assertThat(served).allSatisfy((target) -> assertThat(get(server, target)).startsWith("HTTP/1.1 429"));
			assertThat(spellings(contextPath)).noneMatch((target) -> get(server, target).contains(SECRET));
			assertThat(get(server, contextPath + "/other/file")).contains("for everybody");
		}
	}

	@Test
	void requestTakesOnceHoweverManySpellingsOfItMatch() {
		try (Server server = start("ratelimit.rules.secrets.max=5", "ratelimit.web.requests[0].path=/**",
				"ratelimit.web.requests[0].rule=secrets", "ratelimit.web.requests[1].path=/static/**",
				"ratelimit.web.requests[1].rule=secrets")) {
			assertThat(get(server, "/other/..//static/secret")).doesNotContain("HTTP/1.1 429");
			assertThat(get(server, "//static/secret")).contains(SECRET);
			assertThat(server.remaining("secrets", "")).isEqualTo(5 - 2);
		}
	}

	@Test
	void keyPathIsTheSameForEverySpelling() {
		try (Server server = start("ratelimit.rules.secrets.max=100", "ratelimit.web.requests[0].path=/static/**",
				"ratelimit.web.requests[0].rule=secrets", "ratelimit.web.requests[0].key=path")) {
			List<String> spellings = List.of("/static/secret", "/static/secret;x=1", "/static;x=2/secret",
					"/%73tatic/secret", "//static//secret");
			spellings.forEach((spelling) -> get(server, spelling));
			assertThat(server.remaining("secrets", "/static/secret")).isEqualTo(100 - spellings.size());
		}
	}

	private Stream<String> spellings(String contextPath) {
		return this.directories.stream()
			.flatMap((directory) -> SPELLINGS.stream()
				.flatMap((spelling) -> Stream.of(spelling, spelling.toUpperCase(Locale.ROOT)))
				.map((spelling) -> spelling.replace("DIR", directory).replace("FILE", "secret")))
			.map((spelling) -> spelling.startsWith("http://localhost")
					? spelling.replace("http://localhost", "http://localhost" + contextPath) : contextPath + spelling);
	}

	private static String get(Server server, String target) {
		return server.raw("GET", target);
	}

	Server start(String... properties) {
		Stream<String> all = Stream.of("ratelimit.store=local", "ratelimit.rules.secrets.max=1",
				"ratelimit.rules.secrets.period=1h", "spring.web.resources.static-locations=" + files.toUri());
		return Server.start(this.type, application(), Stream.concat(all, Stream.of(properties)).toArray(String[]::new));
	}

	Class<?> application() {
		return SecretController.class;
	}

	@RestController
	static class SecretController {

		@GetMapping("/controller/secret")
		String secret() {
			return SECRET;
		}

	}

}
