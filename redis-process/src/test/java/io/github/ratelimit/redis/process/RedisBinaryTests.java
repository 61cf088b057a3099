package io.github.ratelimit.redis.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link RedisBinary}; scripts replace the programs. A process that another
 * test starts while a script is written would inherit the open file, and the script could
 * not be run ("Text file busy").
 */
@Tag("in-ci")
@Timeout(60)
@Isolated
@Execution(ExecutionMode.SAME_THREAD)
class RedisBinaryTests {

	private static final Callable<Path> NOT_EMBEDDED = () -> {
		throw new IOException("no binary for this platform");
	};

	@TempDir
	private Path directory;

	@Test
	void isFoundHere() {
		assertThat(RedisBinary.find().toString()).matches("redis-server \\d+\\.\\d+\\.\\d+ \\(.+\\)");
		assertThat(RedisBinary.find()).isSameAs(RedisBinary.find());
	}

	@Test
	void installedWinsOverEmbedded() {
		assertThat(RedisBinary.all()).isNotEmpty().first().hasToString(RedisBinary.find("").toString());
		assertThat(RedisBinary.installed()).isSameAs(RedisBinary.installed());
		RedisBinary.embedded().ifPresent((embedded) -> assertThat(embedded.origin()).isEqualTo("embedded-redis"));
	}

	@Test
	void canBeChosen() {
		RedisBinary.embedded().ifPresent((embedded) -> assertThat(RedisBinary.find("embedded")).isSameAs(embedded));
		RedisBinary.installed().ifPresent((installed) -> assertThat(RedisBinary.find("installed")).isSameAs(installed));
		RedisBinary.valkey().ifPresent((valkey) -> assertThat(RedisBinary.find("valkey")).isSameAs(valkey));
		assertThatIllegalArgumentException().isThrownBy(() -> RedisBinary.find("newest"))
			.withMessage("ratelimit.test.redis is newest, but has to be installed, embedded or valkey");
	}

	@Test
	void tlsIsSupportedUnlessItsArgumentIsUnknown() throws IOException {
		Path without = program("without", "echo 'Bad directive or wrong number of arguments'; exit 1");
		Path with = program("with", "echo \"argument couldn't be parsed into an integer\"; exit 1");
		assertThat(new RedisBinary(without, "test", "6.2.11").supportsTls()).isFalse();
		assertThat(new RedisBinary(with, "test", "6.2.11").supportsTls()).isTrue();
	}

	@Test
	void onThePathWins() throws IOException {
		Path installed = program("redis-server", "echo 'Redis server v=7.0.15 sha=00000000:0 bits=64'");
		assertThat(RedisBinary.find(path(), NOT_EMBEDDED))
			.isEqualTo(new RedisBinary(installed, installed.toString(), "7.0.15"));
	}

	@Test
	void embeddedIsUsedWhenNoneIsOnThePath() throws IOException {
		Path embedded = program("embedded", "echo 'Redis server v=6.2.11 sha=00000000:0 bits=64'");
		assertThat(RedisBinary.find(path(), () -> embedded))
			.isEqualTo(new RedisBinary(embedded, "embedded-redis", "6.2.11"));
	}

	@Test
	void embeddedIsUsedWhenTheOneOnThePathIsTooOld() throws IOException {
		program("redis-server", "echo 'Redis server v=6.0.16 sha=00000000:0 bits=64'");
		Path embedded = program("embedded", "echo 'Redis server v=6.2.11 sha=00000000:0 bits=64'");
		assertThat(RedisBinary.find(path(), () -> embedded).origin()).isEqualTo("embedded-redis");
	}

	@Test
	void failureListsTheAttemptsAndTheRemedy() {
		assertThatIllegalStateException().isThrownBy(() -> RedisBinary.find(path(), NOT_EMBEDDED))
			.withMessageContaining("on the PATH: not found")
			.withMessageContaining("from embedded-redis: no binary for this platform")
			.withMessageContaining("apt-get install redis-server");
	}

	@Test
	void failureContainsTheErrorOfTheProgram() throws IOException {
		program("redis-server", "echo 'Redis server v=5.0.7 sha=00000000:0 bits=64'");
		Path embedded = program("embedded", "echo 'libssl.so.3: cannot open shared object file' >&2; exit 127");
		assertThatIllegalStateException().isThrownBy(() -> RedisBinary.find(path(), () -> embedded))
			.withMessageContaining("redis-server is too old: 5.0.7")
			.withMessageContaining("ended with 127 and printed: libssl.so.3: cannot open shared object file");
	}

	private SearchPath path() {
		return new SearchPath(":/no/such/directory:" + this.directory);
	}

	private Path program(String name, String script) throws IOException {
		Path file = Files.writeString(this.directory.resolve(name), "#!/bin/sh\n" + script + "\n");
		assertThat(file.toFile().setExecutable(true)).isTrue();
		return file;
	}

}
