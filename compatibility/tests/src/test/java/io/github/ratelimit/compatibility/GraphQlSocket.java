package io.github.ratelimit.compatibility;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Client of GraphQL over a WebSocket.
 */
final class GraphQlSocket implements WebSocket.Listener, AutoCloseable {

	private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();

	private final StringBuilder partial = new StringBuilder();

	private final WebSocket socket;

	private GraphQlSocket(String url, String... headers) {
		WebSocket.Builder builder = HttpClient.newHttpClient()
			.newWebSocketBuilder()
			.subprotocols("graphql-transport-ws");
		for (int i = 0; i < headers.length; i += 2) {
			builder.header(headers[i], headers[i + 1]);
		}
		this.socket = builder.buildAsync(URI.create(url), this).join();
	}

	/**
	 * Open a connection.
	 * @param headers names and values of the handshake
	 */
	static GraphQlSocket open(int port, String... headers) throws InterruptedException {
		return openBelow("", port, headers);
	}

	static GraphQlSocket openBelow(String contextPath, int port, String... headers) throws InterruptedException {
		GraphQlSocket socket = new GraphQlSocket("ws://localhost:" + port + contextPath + "/socket", headers);
		socket.send("{\"type\":\"connection_init\"}");
		if (!socket.next().contains("connection_ack")) {
			throw new AssertionError("not acknowledged");
		}
		return socket;
	}

	/**
	 * Send a query, and return the first message of its answer.
	 */
	String answer(String id, String query) throws InterruptedException {
		send("{\"id\":\"" + id + "\",\"type\":\"subscribe\",\"payload\":{\"query\":\"" + query + "\"}}");
		return next();
	}

	void cancel(String id) {
		send("{\"id\":\"" + id + "\",\"type\":\"complete\"}");
	}

	private void send(String message) {
		this.socket.sendText(message, true).join();
	}

	/**
	 * Return the next message.
	 */
	String next() throws InterruptedException {
		String message = this.messages.poll(60, TimeUnit.SECONDS);
		if (message == null) {
			throw new AssertionError("no message within 60 s");
		}
		return message;
	}

	@Override
	public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
		this.partial.append(data);
		if (last) {
			this.messages.add(this.partial.toString());
			this.partial.setLength(0);
		}
		socket.request(1);
		return null;
	}

	@Override
	public void close() {
		this.socket.abort();
	}

}
