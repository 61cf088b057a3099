package io.github.ratelimit.compatibility;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * Real server of an API that admits some requests and answers the others with 429.
 */
public final class LimitedApi implements AutoCloseable {

	private final HttpServer server;

	private final int admitted;

	private final AtomicInteger requests = new AtomicInteger();

	private final String retryAfter;

	/**
	 * Start a server.
	 * @param admitted how many requests it admits
	 * @param retryAfter the {@code Retry-After} of others, in seconds
	 */
	public LimitedApi(int admitted, String retryAfter) {
		this.admitted = admitted;
		this.retryAfter = retryAfter;
		try {
			this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.server.createContext("/", this::answer);
		this.server.start();
	}

	private void answer(HttpExchange exchange) throws IOException {
		boolean isAdmitted = this.requests.incrementAndGet() <= this.admitted;
		if (!isAdmitted) {
			exchange.getResponseHeaders().add("Retry-After", this.retryAfter);
		}
		byte[] body = "{}".getBytes();
		exchange.sendResponseHeaders(isAdmitted ? 200 : 429, body.length);
		exchange.getResponseBody().write(body);
		exchange.close();
	}

	public int requests() {
		return this.requests.get();
	}

	public String url() {
		return "http://localhost:" + this.server.getAddress().getPort();
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

}
