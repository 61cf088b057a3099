package io.github.ratelimit.adaptive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ContainerMemoryTests {

	@TempDir
	Path files;

	@Test
	void thereIsNoneWithoutFiles() {
		assertThat(memory().read()).isNull();
	}

	@Test
	void version2LeavesOutWhatTheKernelWouldGiveUp() throws IOException {
		write("memory.max", "1000\n");
		write("memory.current", "700\n");
		write("memory.stat", "anon 400\ninactive_file 200\nactive_file 100\n");
		assertThat(memory().read()).isEqualTo(new ContainerMemory.Usage(500, 1000));
	}

	@Test
	void version2WithoutLimitIsNone() throws IOException {
		write("memory.max", "max\n");
		write("memory.current", "700\n");
		assertThat(memory().read()).isNull();
	}

	@Test
	void version1LeavesOutWhatTheKernelWouldGiveUp() throws IOException {
		write("memory/memory.limit_in_bytes", "1000\n");
		write("memory/memory.usage_in_bytes", "700\n");
		write("memory/memory.stat", "inactive_file 1\ntotal_inactive_file 300\n");
		assertThat(memory().read()).isEqualTo(new ContainerMemory.Usage(400, 1000));
	}

	@Test
	void version1WithoutLimitIsNone() throws IOException {
		write("memory/memory.limit_in_bytes", "9223372036854771712\n");
		write("memory/memory.usage_in_bytes", "700\n");
		assertThat(memory().read()).isNull();
	}

	@Test
	void statisticsMayBeAbsent() throws IOException {
		write("memory.max", "1000");
		write("memory.current", "700");
		assertThat(memory().read()).isEqualTo(new ContainerMemory.Usage(700, 1000));
	}

	@Test
	void nearestGroupWithALimitCounts() throws IOException {
		write("membership", "0::/pod/app\n");
		write("pod/app/memory.max", "max");
		write("pod/app/memory.current", "10");
		write("pod/memory.max", "1000");
		write("pod/memory.current", "20");
		write("memory.max", "9000");
		write("memory.current", "30");
		assertThat(memory().read()).isEqualTo(new ContainerMemory.Usage(20, 1000));
	}

	@Test
	void groupOfVersion1IsThatOfTheMemoryController() throws IOException {
		write("membership", "5:cpu,cpuacct:/other\n4:memory:/docker/1\n1:name=systemd:/user\n0::/\n");
		write("memory/docker/1/memory.limit_in_bytes", "1000");
		write("memory/docker/1/memory.usage_in_bytes", "20");
		assertThat(memory().read()).isEqualTo(new ContainerMemory.Usage(20, 1000));
	}

	@Test
	void groupThatIsNotMountedIsThatOfTheMount() throws IOException {
		write("membership", "0::/docker/1\n");
		write("memory.max", "1000");
		write("memory.current", "20");
		assertThat(memory().read()).isEqualTo(new ContainerMemory.Usage(20, 1000));
	}

	@Test
	void limitMayChange() throws IOException {
		ContainerMemory memory = memory();
		write("memory.max", "1000");
		write("memory.current", "20");
		assertThat(memory.read()).isEqualTo(new ContainerMemory.Usage(20, 1000));
		write("memory.max", "2000");
		assertThat(memory.read()).isEqualTo(new ContainerMemory.Usage(20, 2000));
	}

	@Test
	void unreadableNumberIsAFailure() throws IOException {
		write("memory.max", "1000");
		write("memory.current", "much");
		assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> memory().read());
	}

	private ContainerMemory memory() {
		return new ContainerMemory(this.files, this.files.resolve("membership"));
	}

	private void write(String file, String content) throws IOException {
		Path path = this.files.resolve(file);
		Files.createDirectories(path.getParent());
		Files.writeString(path, content);
	}

}
