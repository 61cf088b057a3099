package io.github.ratelimit.compatibility.messages;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.annotation.RateLimited;
import jakarta.jms.ConnectionFactory;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.artemis.autoconfigure.ArtemisConfigurationCustomizer;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jms.autoconfigure.DefaultJmsListenerContainerFactoryConfigurer;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.test.annotation.DirtiesContext;

/**
 * Limited listeners of JMS, with Artemis.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE,
		properties = { "spring.artemis.mode=embedded", "spring.artemis.embedded.persistent=false" })
@DirtiesContext
class JmsListenerTests extends LimitedListenersTest {

	@Autowired
	private JmsTemplate template;

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
		DefaultJmsListenerContainerFactory jmsListenerContainerFactory(
				DefaultJmsListenerContainerFactoryConfigurer configurer, ConnectionFactory connections,
				Received received) {
			DefaultJmsListenerContainerFactory factory = new DefaultJmsListenerContainerFactory();
			configurer.configure(factory, connections);
			factory.setErrorHandler(received::failed);
			return factory;
		}

		@Bean
		ArtemisConfigurationCustomizer redelivery() {
			AddressSettings later = new AddressSettings().setRedeliveryDelay(200).setMaxDeliveryAttempts(-1);
			return (configuration) -> configuration.addAddressSetting("again", later);
		}

	}

	static class Orders {

		private final Received received;

		Orders(Received received) {
			this.received = received;
		}

		@JmsListener(destination = "paced")
		@RateLimited(name = "paced", algorithm = Algorithm.LEAKY_BUCKET, max = 5, period = 1, maxWait = "1m")
		public void pace(String order) {
			this.received.messages.add(order);
		}

		@JmsListener(destination = "again")
		@RateLimited(name = "again", max = 1, period = 3)
		public void again(String order) {
			this.received.messages.add(order);
		}

	}

}
