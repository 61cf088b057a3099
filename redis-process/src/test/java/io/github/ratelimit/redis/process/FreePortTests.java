package io.github.ratelimit.redis.process;

import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FreePortTests {

	@Test
	void noPortIsFoundTwice() {
		assertThat(IntStream.range(0, 500).map((index) -> FreePort.find())).doesNotHaveDuplicates();
	}

}
