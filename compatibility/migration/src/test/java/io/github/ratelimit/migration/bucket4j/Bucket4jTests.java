package io.github.ratelimit.migration.bucket4j;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.migration.Instance;
import io.github.ratelimit.migration.Traffic;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.server.ResponseStatusException;

import static org.assertj.core.api.Assertions.assertThat;

class Bucket4jTests {

	@Test
	void bothAdmitTheCapacityOfTheBucket() {
		try (Instance before = Instance.start(Before.class, ""); Instance after = Instance.start(After.class, "")) {
			BucketOrders old = before.bean(BucketOrders.class);
			LimitedOrders orders = after.bean(LimitedOrders.class);
			assertThat(Traffic.admitted(8, () -> old.order("acme"), ResponseStatusException.class)).isEqualTo(5);
			assertThat(Traffic.admitted(8, () -> orders.order("acme"), RateLimitExceededException.class)).isEqualTo(5);
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import({ BucketOrders.class, Buckets.class })
	static class Before {

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(LimitedOrders.class)
	static class After {

	}

}
