package io.github.ratelimit.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * HTTP client that acts like a browser.
 */
class ForumClient {

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

	private final int port;

	ForumClient(int port) {
		this.port = port;
	}

	HttpResponse<String> get(String path) {
		return send(request(path).GET());
	}

	HttpResponse<String> put(String path, String form) {
		return send(request(path).header("Content-Type", "application/x-www-form-urlencoded")
			.PUT(BodyPublishers.ofString(form)));
	}

	HttpResponse<String> reply(String userId) {
		return send(request("/replies?userId=" + encode(userId)).POST(BodyPublishers.noBody()));
	}

	HttpResponse<String> search(String userId) {
		return send(request("/topics?q=redis&userId=" + encode(userId)).GET());
	}

	HttpResponse<String> login(String userId, String password) {
		return send(request("/sessions?userId=" + encode(userId) + "&password=" + encode(password))
			.POST(BodyPublishers.noBody()));
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + path)).timeout(TIMEOUT);
	}

	private HttpResponse<String> send(HttpRequest.Builder request) {
		try {
			return this.http.send(request.build(), BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	private static String encode(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8);
	}

}
