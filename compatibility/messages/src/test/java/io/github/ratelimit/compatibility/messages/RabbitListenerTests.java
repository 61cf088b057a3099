package io.github.ratelimit.compatibility.messages;

import java.nio.file.Path;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistrar;

/**
 * Limited listeners of Spring AMQP.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE)
@DirtiesContext
class RabbitListenerTests extends LimitedListenersTest {

	@TempDir
	static Path directory;

	@Autowired
	private RabbitTemplate template;

	@Test
	void denialFollowsTheErrorHandlerAndTheMessageIsDeliveredAgain() {
		messageThatIsDeniedIsDeliveredAgain();
	}

	@Override
	void sendOne(String queue, String text) {
		this.template.convertAndSend(queue, text);
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import({ Received.class, Orders.class })
	static class Application {

		@Bean
		AmqpBroker broker() throws Exception {
			return new AmqpBroker(directory);
		}

		@Bean
		DynamicPropertyRegistrar address(AmqpBroker broker) {
			return (properties) -> properties.add("spring.rabbitmq.port", broker::port);
		}

		@Bean
		Queue paced() {
			return new Queue("paced");
		}

		@Bean
		Queue again() {
			return new Queue("again");
		}

		@Bean
		ContainerCustomizer<SimpleMessageListenerContainer> errorHandler(Received received) {
			return (container) -> container.setErrorHandler(received::failed);
		}

	}

	static class Orders {

		private final Received received;

		Orders(Received received) {
			this.received = received;
		}

		@RabbitListener(queues = "paced")
		@RateLimited(name = "paced", algorithm = Algorithm.LEAKY_BUCKET, max = 5, period = 1, maxWait = "1m")
		public void pace(String order) {
			this.received.messages.add(order);
		}

		@RabbitListener(queues = "again")
		@RateLimited(name = "again", max = 1, period = 3)
		public void again(String order) {
			this.received.messages.add(order);
		}

	}

}
