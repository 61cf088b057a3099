package io.github.ratelimit.compatibility.messages;

import java.time.Duration;
import java.util.function.Predicate;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Limited listeners, of which one is paced.
 */
abstract class LimitedListenersTest {

	static final Duration PATIENCE = Duration.ofSeconds(60);

	@Autowired
	Received received;

	@Test
	void waitsPaceTheListenerInOrder() {
		long sent = System.nanoTime();
		send("paced", "a", "b", "c", "d");
		awaitReceived((text) -> text.length() == 1, "a", "b", "c", "d");
		assertThat(Duration.ofNanos(System.nanoTime() - sent)).isGreaterThanOrEqualTo(Duration.ofMillis(600));
	}

	void messageThatIsDeniedIsDeliveredAgain() {
		send("again", "again-a", "again-b");
		awaitReceived((text) -> text.startsWith("again"), "again-a", "again-b");
		assertThat(this.received.denials).isNotEmpty().allMatch((denial) -> denial.rule().equals("again"));
	}

	void awaitReceived(Predicate<String> selected, String... expected) {
		await().atMost(PATIENCE)
			.untilAsserted(() -> assertThat(this.received.messages).filteredOn(selected).containsExactly(expected));
	}

	void send(String destination, String... texts) {
		for (String text : texts) {
			sendOne(destination, text);
		}
	}

	abstract void sendOne(String destination, String text);

}
