package io.github.ratelimit.adaptive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class MemoryTests {

	@TempDir
	Path files;

	@Test
	void withoutContainerItIsTheHeap() {
		assertThat(memory(300).fraction()).isEqualTo(0.3);
		assertThat(memory(300).bytes()).isEqualTo(300);
	}

	@Test
	void fractionIsThatOfTheFuller() throws IOException {
		container(1600, 2000);
		assertThat(memory(300).fraction()).isEqualTo(0.8);
		assertThat(memory(900).fraction()).isEqualTo(0.9);
	}

	@Test
	void bytesAreThoseOfTheContainer() throws IOException {
		container(1600, 2000);
		assertThat(memory(900).bytes()).isEqualTo(1600);
	}

	@Test
	void thisProcessUsesMemory() {
		assertThat(Memory.ofThisProcess().fraction()).isGreaterThan(0).isLessThanOrEqualTo(1);
		assertThat(Memory.ofThisProcess().bytes()).isGreaterThan(1_000_000);
	}

	private Memory memory(long heapUsed) {
		return new Memory(() -> heapUsed, 1000, new ContainerMemory(this.files, this.files.resolve("membership")));
	}

	private void container(long used, long limit) throws IOException {
		Files.writeString(this.files.resolve("memory.max"), Long.toString(limit));
		Files.writeString(this.files.resolve("memory.current"), Long.toString(used));
	}

}
