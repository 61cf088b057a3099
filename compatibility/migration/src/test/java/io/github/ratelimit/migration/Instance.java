package io.github.ratelimit.migration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.github.ratelimit.redis.process.RedisProcess;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Running instance of an application. All instances share a Redis server, which ends with
 * this JVM.
 */
public final class Instance implements AutoCloseable {

	private static final RedisProcess REDIS = RedisProcess.start();

	private final ConfigurableApplicationContext context;

	private Instance(ConfigurableApplicationContext context) {
		this.context = context;
	}

	/**
	 * Start an instance without a web server.
	 * @param application the configuration class
	 * @param yaml the name of a resource, or an empty string
	 */
	public static Instance start(Class<?> application, String yaml) {
		return start(WebApplicationType.NONE, application, yaml);
	}

	/**
	 * Start an instance on Netty and a free port.
	 * @param application the configuration class
	 * @param yaml the name of a resource
	 * @param more further properties, {@code name=value}
	 */
	public static Instance serve(Class<?> application, String yaml, String... more) {
		return start(WebApplicationType.REACTIVE, application, yaml, more);
	}

	private static Instance start(WebApplicationType type, Class<?> application, String yaml, String... more) {
		// auto-configured by the class path, but not part of every application
		List<String> properties = new ArrayList<>(
				List.of("bucket4j.enabled=false", "spring.cloud.gateway.server.webflux.enabled=false",
						"spring.cloud.gateway.server.webflux.redis.enabled=false"));
		properties.addAll(List.of("server.port=0", "spring.main.banner-mode=off", "ratelimit.redis.timeout=5s",
				"spring.data.redis.host=" + REDIS.host(), "spring.data.redis.port=" + REDIS.port()));
		properties.add("spring.config.import=" + (yaml.isEmpty() ? "" : "classpath:" + yaml));
		properties.addAll(Arrays.asList(more));
		return new Instance(new SpringApplicationBuilder(application).web(type)
			.properties(properties.toArray(String[]::new))
			.registerShutdownHook(false)
			.run());
	}

	public <T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	/**
	 * Return the number of admitted requests of some, sent one after the other.
	 */
	public long admitted(int requests, String path, String header, String value) {
		return Traffic.admitted(requests, () -> get(path, header, value).statusCode() == 200);
	}

	public HttpResponse<String> get(String path, String header, String value) {
		try {
			return HttpClient.newHttpClient()
				.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port() + path))
					.header(header, value)
					.build(), BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	public int port() {
		return this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	@Override
	public void close() {
		this.context.close();
	}

}
