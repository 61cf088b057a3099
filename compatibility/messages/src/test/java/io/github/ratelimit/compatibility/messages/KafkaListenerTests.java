package io.github.ratelimit.compatibility.messages;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistrar;
import org.springframework.util.backoff.FixedBackOff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Limited listeners of Kafka.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE,
		properties = { "spring.kafka.consumer.auto-offset-reset=earliest", "spring.kafka.consumer.group-id=orders",
				"spring.kafka.consumer.fetch-max-wait=10ms" })
@DirtiesContext
class KafkaListenerTests extends LimitedListenersTest {

	@TempDir
	static Path directory;

	@Autowired
	private KafkaTemplate<String, String> template;

	@Autowired
	private RateLimiterRegistry limiters;

	@Test
	void denialFollowsTheErrorHandler() {
		send("dropped", "dropped-a", "dropped-b", "dropped-c");
		await().atMost(PATIENCE).untilAsserted(() -> assertThat(this.received.givenUp).contains("dropped-c"));
		assertThat(this.received.givenUp).filteredOn(KafkaListenerTests::isOfDroppedTopic)
			.containsExactly("dropped-b", "dropped-c");
		assertThat(this.received.failedDeliveries).filteredOn(KafkaListenerTests::isOfDroppedTopic)
			.as("none is delivered again")
			.doesNotHaveDuplicates();
		assertThat(this.received.denials).extracting(RateLimitExceededException::rule)
			.filteredOn("dropped"::equals)
			.hasSize(2);
		assertThat(this.received.messages).filteredOn(KafkaListenerTests::isOfDroppedTopic)
			.containsExactly("dropped-a");
	}

	private static boolean isOfDroppedTopic(String text) {
		return text.startsWith("dropped");
	}

	@Test
	void backOffOfTheErrorHandlerIsTheTimeOfTheDenial() {
		send("again", "again-a", "again-b", "again-c");
		awaitReceived((text) -> text.startsWith("again"), "again-a", "again-b", "again-c");
		assertThat(this.received.failedDeliveries).filteredOn((text) -> text.startsWith("again"))
			.as("one for each record that waits, or two if a timer is early")
			.hasSizeBetween(1, 4);
	}

	@Test
	void recordThatCanNeverBeAdmittedIsGivenUp() {
		send("large", "large-above-capacity", "large-a");
		await().atMost(PATIENCE).untilAsserted(() -> assertThat(this.received.messages).contains("large-a"));
		assertThat(this.received.messages).doesNotContain("large-above-capacity");
		assertThat(this.received.denials).extracting(RateLimitExceededException::rule).contains("large");
	}

	@Test
	void batchTakesAUnitPerRecord() {
		send("batches", "batch-a", "batch-b", "batch-c");
		await().atMost(PATIENCE)
			.untilAsserted(
					() -> assertThat(this.received.messages).filteredOn((text) -> text.startsWith("batch")).hasSize(3));
		assertThat(this.limiters.limiter("batches").peek("all").remaining()).isEqualTo(97);
	}

	@Override
	void sendOne(String topic, String text) {
		this.template.send(topic, text);
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import({ Received.class, Orders.class })
	static class Application {

		@Bean
		KafkaBroker broker() throws Exception {
			return new KafkaBroker(directory);
		}

		@Bean
		DynamicPropertyRegistrar address(KafkaBroker broker) {
			return (properties) -> properties.add("spring.kafka.bootstrap-servers", broker::address);
		}

		/**
		 * Return a handler that gives up a denied record of one topic, and delivers those
		 * of the others again when they may be admitted.
		 */
		@Bean
		DefaultErrorHandler errorHandler(Received received) {
			DefaultErrorHandler handler = new DefaultErrorHandler((order, failure) -> {
				received.failed(failure);
				received.givenUp.add((String) order.value());
			}, new FixedBackOff(0, 0));
			handler.setRetryListeners((order, failure, times) -> received.failedDeliveries.add((String) order.value()));
			handler.setBackOffFunction((order, failure) -> {
				boolean again = failure instanceof RateLimitExceededException && !order.topic().equals("dropped");
				return again ? wait((RateLimitExceededException) failure) : null;
			});
			return handler;
		}

		private static FixedBackOff wait(RateLimitExceededException denial) {
			Duration retryAfter = denial.decision().retryAfter();
			return retryAfter.equals(Decision.NEVER) ? null
					: new FixedBackOff(retryAfter.toMillis(), FixedBackOff.UNLIMITED_ATTEMPTS);
		}

	}

	static class Orders {

		private final Received received;

		Orders(Received received) {
			this.received = received;
		}

		@KafkaListener(topics = "paced")
		@RateLimited(name = "paced", algorithm = Algorithm.LEAKY_BUCKET, max = 5, period = 1, maxWait = "1m")
		public void pace(String order) {
			this.received.messages.add(order);
		}

		@KafkaListener(topics = "dropped")
		@RateLimited(name = "dropped", max = 1, period = 3600)
		public void drop(String order) {
			this.received.messages.add(order);
		}

		@KafkaListener(topics = "again")
		@RateLimited(name = "again", algorithm = Algorithm.TOKEN_BUCKET, max = 2, burst = 1, period = 1)
		public void again(String order) {
			this.received.messages.add(order);
		}

		@KafkaListener(topics = "large")
		@RateLimited(name = "large", cost = "#order.length()", max = 9, period = 1)
		public void large(String order) {
			this.received.messages.add(order);
		}

		@KafkaListener(topics = "batches", batch = "true")
		@RateLimited(name = "batches", key = "'all'", cost = "#orders.size()", max = 100, period = 3600)
		public void all(List<String> orders) {
			this.received.messages.addAll(orders);
		}

	}

}
