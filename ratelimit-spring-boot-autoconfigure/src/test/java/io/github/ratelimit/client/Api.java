package io.github.ratelimit.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * Real server of an API that limits its callers.
 */
final class Api implements AutoCloseable {

	private final HttpServer server;

	private final AtomicInteger requests = new AtomicInteger();

	private volatile int status = 200;

	private volatile String[] headers = {};

	Api() {
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
		this.requests.incrementAndGet();
		for (int i = 0; i < this.headers.length; i += 2) {
			exchange.getResponseHeaders().add(this.headers[i], this.headers[i + 1]);
		}
		exchange.sendResponseHeaders(this.status, -1);
		exchange.close();
	}

	/**
	 * Answer all requests from now on.
	 * @param newHeaders names and values in turn
	 */
	void answers(int newStatus, String... newHeaders) {
		this.status = newStatus;
		this.headers = newHeaders;
	}

	int requests() {
		return this.requests.get();
	}

	int port() {
		return this.server.getAddress().getPort();
	}

	String url(String path) {
		return "http://localhost:" + port() + path;
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

}
