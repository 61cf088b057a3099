package io.github.ratelimit.compatibility;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * Real server behind a gateway. A path that ends with a number is answered with that
 * status, one that ends with {@code stream} ends when it is released, and so does one
 * that ends with {@code ticks}, which goes on sending until then.
 */
final class GatewayBackEnd implements AutoCloseable {

	private static final int MORE_THAN_BUFFERS_HOLD = 1 << 16;

	private final HttpServer server;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final Queue<String> requests = new ConcurrentLinkedQueue<>();

	private volatile CountDownLatch streaming = new CountDownLatch(1);

	GatewayBackEnd() {
		try {
			this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.server.setExecutor(this.threads);
		this.server.createContext("/", this::answer);
		this.server.start();
	}

	private void answer(HttpExchange exchange) throws IOException {
		String path = exchange.getRequestURI().getPath();
		CountDownLatch released = this.streaming;
		this.requests.add(path);
		String last = path.substring(path.lastIndexOf('/') + 1);
		exchange.getResponseHeaders().add("RateLimit", "\"back-end\";r=1");
		exchange.sendResponseHeaders(last.matches("\\d+") ? Integer.parseInt(last) : 200, 0);
		exchange.getResponseBody().write("item".getBytes());
		exchange.getResponseBody().flush();
		if (last.equals("stream")) {
			awaitRelease(released, Long.MAX_VALUE);
		}
		while (last.equals("ticks") && !awaitRelease(released, 50)) {
			exchange.getResponseBody().write(new byte[MORE_THAN_BUFFERS_HOLD]);
			exchange.getResponseBody().flush();
		}
		exchange.close();
	}

	private boolean awaitRelease(CountDownLatch released, long millis) {
		try {
			return released.await(millis, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return true;
		}
	}

	/**
	 * End the responses that stream now.
	 */
	void release() {
		CountDownLatch streamed = this.streaming;
		this.streaming = new CountDownLatch(1);
		streamed.countDown();
	}

	/**
	 * Return how many requests of a path have arrived.
	 */
	long requests(String path) {
		return this.requests.stream().filter(path::equals).count();
	}

	String url() {
		return "http://localhost:" + this.server.getAddress().getPort();
	}

	@Override
	public void close() {
		release();
		this.server.stop(0);
		this.threads.shutdownNow();
	}

}
