package io.github.ratelimit.migration.bucket4j;

import io.github.ratelimit.migration.Instance;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

class Bucket4jStarterTests {

	@Test
	void bothAdmitTheCapacityOfTheBucketOfEachKey() {
		try (Instance before = Instance.serve(Before.class, "bucket4j/starter-before.yml", "bucket4j.enabled=true");
				Instance after = Instance.serve(After.class, "bucket4j/starter-after.yml")) {
			assertThat(admitted(before, "acme")).isEqualTo(admitted(after, "acme")).isEqualTo(5);
			assertThat(admitted(before, "tiny")).isEqualTo(admitted(after, "tiny")).isEqualTo(5);
		}
	}

	private static long admitted(Instance instance, String apiKey) {
		return instance.admitted(8, "/api/orders", "X-Api-Key", apiKey);
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import({ Buckets.class, OrderController.class })
	static class Before {

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(OrderController.class)
	static class After {

	}

	@RestController
	static class OrderController {

		@GetMapping("/api/orders")
		String orders() {
			return "none";
		}

	}

}
