package io.github.ratelimit.compatibility.messages;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.messaging.converter.StringMessageConverter;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.MessageExceptionHandler;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.simp.annotation.SendToUser;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.messaging.simp.stomp.StompFrameHandler;
import org.springframework.messaging.simp.stomp.StompHeaders;
import org.springframework.messaging.simp.stomp.StompSession;
import org.springframework.messaging.simp.stomp.StompSessionHandlerAdapter;
import org.springframework.stereotype.Controller;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.web.socket.client.standard.StandardWebSocketClient;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;
import org.springframework.web.socket.messaging.WebSocketStompClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Limited methods for STOMP messages over a WebSocket.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@DirtiesContext
class StompTests {

	@LocalServerPort
	private int port;

	@Test
	void waitsPaceTheMethod() throws Exception {
		try (Client client = new Client(this.port)) {
			long sent = System.nanoTime();
			for (String text : new String[] { "a", "b", "c", "d" }) {
				client.session.send("/app/paced", text);
			}
			for (int i = 0; i < 4; i++) {
				assertThat(client.next()).startsWith("replied: ");
			}
			assertThat(Duration.ofNanos(System.nanoTime() - sent)).isGreaterThanOrEqualTo(Duration.ofMillis(600));
		}
	}

	@Test
	void denialFollowsTheExceptionHandlerOfItsSession() throws Exception {
		try (Client one = new Client(this.port); Client other = new Client(this.port)) {
			one.session.send("/app/reply", "a");
			assertThat(one.next()).isEqualTo("replied: a");
			one.session.send("/app/reply", "b");
			assertThat(one.next()).isEqualTo("denied: replies");
			other.session.send("/app/reply", "c");
			assertThat(other.next()).isEqualTo("replied: c");
		}
	}

	/**
	 * Client with the messages that it gets.
	 */
	private static final class Client implements AutoCloseable, StompFrameHandler {

		private final WebSocketStompClient stomp = new WebSocketStompClient(new StandardWebSocketClient());

		private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();

		private final StompSession session;

		private Client(int port) throws Exception {
			this.stomp.setMessageConverter(new StringMessageConverter());
			this.session = this.stomp
				.connectAsync("ws://localhost:" + port + "/forum", new StompSessionHandlerAdapter() {
				})
				.get(60, TimeUnit.SECONDS);
			this.session.subscribe("/user/queue/replies", this);
			// the broker may handle a subscription behind messages that follow it
			for (String subscribed = null; subscribed == null;) {
				this.session.send("/app/ping", "ping");
				subscribed = this.messages.poll(100, TimeUnit.MILLISECONDS);
			}
		}

		private String next() throws InterruptedException {
			String next = "pong";
			while ("pong".equals(next)) {
				next = this.messages.poll(60, TimeUnit.SECONDS);
			}
			return next;
		}

		@Override
		public Type getPayloadType(StompHeaders headers) {
			return String.class;
		}

		@Override
		public void handleFrame(StompHeaders headers, Object payload) {
			this.messages.add((String) payload);
		}

		@Override
		public void close() {
			this.session.disconnect();
			this.stomp.stop();
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@EnableWebSocketMessageBroker
	@Import(Forum.class)
	static class Application implements WebSocketMessageBrokerConfigurer {

		@Override
		public void registerStompEndpoints(StompEndpointRegistry registry) {
			registry.addEndpoint("/forum");
		}

		@Override
		public void configureMessageBroker(MessageBrokerRegistry registry) {
			registry.enableSimpleBroker("/queue");
			registry.setApplicationDestinationPrefixes("/app");
		}

	}

	@Controller
	static class Forum {

		@MessageMapping("/ping")
		@SendToUser(destinations = "/queue/replies", broadcast = false)
		public String ping() {
			return "pong";
		}

		@MessageMapping("/reply")
		@SendToUser(destinations = "/queue/replies", broadcast = false)
		@RateLimited(name = "replies", key = "#session", max = 1, period = 3600)
		public String reply(@Payload String text, @Header("simpSessionId") String session) {
			return "replied: " + text;
		}

		@MessageMapping("/paced")
		@SendToUser(destinations = "/queue/replies", broadcast = false)
		@RateLimited(name = "paced", algorithm = Algorithm.LEAKY_BUCKET, max = 5, period = 1, maxWait = "1m")
		public String pace(@Payload String text) {
			return "replied: " + text;
		}

		@MessageExceptionHandler
		@SendToUser(destinations = "/queue/replies", broadcast = false)
		public String denied(RateLimitExceededException denial) {
			return "denied: " + denial.rule();
		}

	}

}
