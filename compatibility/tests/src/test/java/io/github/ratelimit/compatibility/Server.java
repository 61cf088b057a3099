package io.github.ratelimit.compatibility;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiterRegistry;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.MediaType;

/**
 * Running application on a real server and a free port.
 */
public final class Server implements AutoCloseable {

	private static final HttpClient CLIENT = HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1)
		.connectTimeout(Duration.ofSeconds(30))
		.build();

	private final ConfigurableApplicationContext context;

	private Server(ConfigurableApplicationContext context) {
		this.context = context;
	}

	/**
	 * Start an application. It waits longer for Redis than applications should, because
	 * the machine that runs the tests may be busy with others.
	 * @param type the kind of server
	 * @param application its configuration class
	 * @param properties further properties, {@code name=value}
	 */
	public static Server start(WebApplicationType type, Class<?> application, String... properties) {
		return start(type, AutoConfigured.class, application, properties);
	}

	/**
	 * Start an application.
	 * @param configured enables auto-configuration in the package of the application
	 */
	public static Server start(WebApplicationType type, Class<?> configured, Class<?> application,
			String... properties) {
		List<String> all = new ArrayList<>(List.of("server.port=0", "spring.main.banner-mode=off",
				"spring.data.redis.repositories.enabled=false", "ratelimit.redis.timeout=10s"));
		all.addAll(List.of(properties));
		return new Server(new SpringApplicationBuilder(configured, application).web(type)
			.properties(all.toArray(String[]::new))
			.initializers(SharedClassMetadata::registerIn,
					(context) -> context.getBeanFactory().addBeanPostProcessor(new ShortQuietPeriod()))
			.registerShutdownHook(false)
			.run());
	}

	/**
	 * Start an application without a web server and without Redis.
	 * @param application its configuration class
	 * @param properties further properties, {@code name=value}
	 */
	static Server startLocal(Class<?> application, String... properties) {
		List<String> all = new ArrayList<>(List.of("ratelimit.store=local"));
		all.addAll(List.of(properties));
		return start(WebApplicationType.NONE, application, all.toArray(String[]::new));
	}

	public <T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	<T> T bean(String name, Class<T> type) {
		return this.context.getBean(name, type);
	}

	/**
	 * Return the remaining units of a rule for a key.
	 */
	public long remaining(String rule, String key) {
		return bean(RateLimiterRegistry.class).limiter(rule).peek(key).remaining();
	}

	/**
	 * Reset some keys in all rules, so that no call of an earlier test counts.
	 * @return this server
	 */
	Server reset(String... keys) {
		RateLimiterRegistry limiters = bean(RateLimiterRegistry.class);
		for (RateLimitRule rule : limiters.rules()) {
			for (String key : keys) {
				limiters.limiter(rule.name()).reset(key);
			}
		}
		return this;
	}

	public HttpResponse<String> get(String path) {
		return send(HttpRequest.newBuilder(uri(path)));
	}

	public HttpResponse<String> get(String path, String header, String value) {
		return send(HttpRequest.newBuilder(uri(path)).header(header, value));
	}

	HttpResponse<String> request(String method, String path) {
		return send(HttpRequest.newBuilder(uri(path)).method(method, HttpRequest.BodyPublishers.noBody()));
	}

	HttpResponse<String> delete(String path) {
		return send(HttpRequest.newBuilder(uri(path)).DELETE());
	}

	public HttpResponse<String> delete(String path, String header, String value) {
		return send(HttpRequest.newBuilder(uri(path)).header(header, value).DELETE());
	}

	public HttpResponse<String> post(String path) {
		return send(HttpRequest.newBuilder(uri(path)).POST(HttpRequest.BodyPublishers.noBody()));
	}

	/**
	 * Send a request with a header, as a proxy does.
	 */
	public HttpResponse<String> post(String path, String header, String value) {
		return send(HttpRequest.newBuilder(uri(path)).header(header, value).POST(HttpRequest.BodyPublishers.noBody()));
	}

	/**
	 * Send a request as a user whose password equals the name.
	 */
	HttpResponse<String> postAs(String user, String path) {
		String credentials = Base64.getEncoder().encodeToString((user + ':' + user).getBytes(StandardCharsets.UTF_8));
		return send(HttpRequest.newBuilder(uri(path))
			.header("Authorization", "Basic " + credentials)
			.header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString("{}")));
	}

	/**
	 * Send a request as a user whose password equals the name.
	 */
	HttpResponse<String> getAs(String user, String path) {
		String credentials = Base64.getEncoder().encodeToString((user + ':' + user).getBytes(StandardCharsets.UTF_8));
		return get(path, "Authorization", "Basic " + credentials);
	}

	public HttpResponse<String> postJson(String path, String body) {
		return send(HttpRequest.newBuilder(uri(path))
			.header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(body)));
	}

	HttpResponse<String> postJson(String path, String body, String header, String value) {
		return send(HttpRequest.newBuilder(uri(path))
			.header("Content-Type", "application/json")
			.header(header, value)
			.POST(HttpRequest.BodyPublishers.ofString(body)));
	}

	/**
	 * Return the body of the response to a request with a body.
	 */
	String post(String path, MediaType type, String body) {
		return send(path, type, body).body();
	}

	/**
	 * Send a body without saying its type.
	 */
	HttpResponse<String> postUntyped(String path, String body) {
		return send(HttpRequest.newBuilder(uri(path)).POST(HttpRequest.BodyPublishers.ofString(body)));
	}

	HttpResponse<String> send(String path, MediaType type, String body) {
		return send(port(), path, type, body);
	}

	static HttpResponse<String> send(int port, String path, MediaType type, String body) {
		return send(HttpRequest.newBuilder(uri(port, path))
			.header("Content-Type", type.toString())
			.POST(HttpRequest.BodyPublishers.ofString(body)));
	}

	/**
	 * Return the whole response to a request over a bare socket, whose target no client
	 * library validates.
	 * @param target the request target, as sent
	 * @param headers complete header lines
	 */
	String raw(String method, String target, String... headers) {
		return raw(port(), method, target, headers);
	}

	static String raw(int port, String method, String target, String... headers) {
		String head = method + ' ' + target
				+ " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n"
				+ Stream.of(headers).map((header) -> header + "\r\n").collect(Collectors.joining()) + "\r\n";
		try (Socket socket = new Socket("localhost", port)) {
			socket.setSoTimeout(60_000);
			socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the status of each of some calls, made one after the other.
	 */
	public List<Integer> statuses(int calls, String path) {
		List<Integer> statuses = new ArrayList<>();
		for (int i = 0; i < calls; i++) {
			statuses.add(post(path).statusCode());
		}
		return statuses;
	}

	private URI uri(String path) {
		return uri(port(), path);
	}

	private static URI uri(int port, String path) {
		return URI.create("http://localhost:" + port + path);
	}

	public int port() {
		return this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	/**
	 * Uses a connection of its own, because WebFlux servers of some versions stall
	 * persistent ones.
	 */
	private static HttpResponse<String> send(HttpRequest.Builder request) {
		try {
			return CLIENT.send(request.header("Connection", "close").timeout(Duration.ofSeconds(60)).build(),
					BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * Auto-configuration of all applications; the whole of one that has no bean.
	 */
	@EnableAutoConfiguration
	static class AutoConfigured {

	}

}
