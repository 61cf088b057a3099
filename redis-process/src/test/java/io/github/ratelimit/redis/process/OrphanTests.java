package io.github.ratelimit.redis.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that no server outlives the JVM that started it.
 */
@Tag("in-ci")
@Timeout(120)
class OrphanTests {

	@TempDir
	private Path temporary;

	@Test
	void serverEndsWithKilledJvm() throws Exception {
		serverEndsAfter(Process::destroyForcibly);
	}

	@Test
	void serverEndsWithTerminatedJvm() throws Exception {
		serverEndsAfter(Process::destroy);
	}

	@Test
	void serverEndsWithJvmThatReturnsFromMain() throws Exception {
		serverEndsAfter(OrphanTests::closeInput);
	}

	@Test
	void clusterEndsWithKilledJvm() throws Exception {
		serversEndAfter(Process::destroyForcibly, "cluster", 6);
	}

	private void serverEndsAfter(EndOfJvm end) throws Exception {
		serversEndAfter(end, "server", 1);
	}

	private void serversEndAfter(EndOfJvm end, String what, int count) throws Exception {
		Process jvm = startJvm(what);
		try (BufferedReader output = jvm.inputReader(StandardCharsets.UTF_8)) {
			List<ProcessHandle> servers = new ArrayList<>();
			for (int i = 0; i < count; i++) {
				servers.add(ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow());
			}
			assertThat(servers).allMatch(ProcessHandle::isAlive);
			end.of(jvm);
			assertThat(servers)
				.allSatisfy((server) -> assertThat(server.onExit()).succeedsWithin(60, TimeUnit.SECONDS));
			assertThat(this.temporary).isDirectoryNotContaining("glob:**/redis-server-*");
		}
		finally {
			jvm.destroyForcibly().waitFor();
		}
	}

	private Process startJvm(String what) throws IOException {
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		return new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"),
				"-Djava.io.tmpdir=" + this.temporary, OrphanTests.class.getName(), what)
			.redirectError(Redirect.INHERIT)
			.start();
	}

	private static void closeInput(Process jvm) {
		try {
			jvm.getOutputStream().close();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Run in the JVM that the test ends: start a server or a cluster, print the ids of
	 * the processes, and wait for the end of standard input.
	 * @param arguments what to start
	 * @throws IOException if there is no input
	 */
	public static void main(String[] arguments) throws IOException {
		List<RedisProcess> servers = arguments[0].equals("cluster") ? RedisCluster.start().nodes()
				: List.of(RedisProcess.start());
		servers.forEach((server) -> System.out.println(server.pid()));
		System.in.read();
	}

	private interface EndOfJvm {

		void of(Process jvm);

	}

}
