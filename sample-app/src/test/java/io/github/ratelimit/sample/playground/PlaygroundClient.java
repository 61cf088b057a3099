package io.github.ratelimit.sample.playground;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Client of the playground without a browser.
 */
class PlaygroundClient {

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

	private final String playground;

	PlaygroundClient(int port) {
		this.playground = "http://localhost:" + port + "/playground/";
	}

	OpenVisit open() {
		HttpResponse<Stream<String>> response = send(request("visits"), BodyHandlers.ofLines());
		return new OpenVisit(response.statusCode(), response.body(), response.body().iterator());
	}

	HttpResponse<String> put(String path, String form) {
		return send(request(path).header("Content-Type", "application/x-www-form-urlencoded")
			.PUT(BodyPublishers.ofString(form)), BodyHandlers.ofString());
	}

	HttpResponse<String> post(String path) {
		return send(request(path).POST(BodyPublishers.noBody()), BodyHandlers.ofString());
	}

	HttpResponse<String> delete(String path) {
		return send(request(path).DELETE(), BodyHandlers.ofString());
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create(this.playground + path)).timeout(TIMEOUT);
	}

	private <T> HttpResponse<T> send(HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler) {
		try {
			return this.http.send(request.build(), handler);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Open stream of events.
	 *
	 * @param status the status of the response
	 * @param body the lines, to close them
	 * @param lines the lines that were not read yet
	 */
	record OpenVisit(int status, Stream<String> body, Iterator<String> lines) implements AutoCloseable {

		/**
		 * Return the path of the visit, below that of the playground.
		 */
		String path() {
			return "visits/" + next("data:").replaceAll(".*\"id\":\"([^\"]+)\".*", "$1");
		}

		/**
		 * Return the next line that contains a text.
		 */
		String next(String text) {
			return CompletableFuture.supplyAsync(() -> read(text))
				.orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS)
				.join();
		}

		private String read(String text) {
			String line = this.lines.next();
			while (!line.contains(text)) {
				line = this.lines.next();
			}
			return line;
		}

		@Override
		public void close() {
			this.body.close();
		}

	}

}
