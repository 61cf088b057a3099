package io.github.ratelimit.redis.process;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Connection to a Redis server that sends one command at a time and reads its reply, in
 * version 2 of the Redis protocol. It is not thread-safe.
 * <p>
 * It replaces a client library on purpose. Applications and benchmarks start servers,
 * too. Jedis would bring Commons Pool, with which Spring Boot pools the connections of
 * Lettuce, and Lettuce would bring its threads. Each line of Spring Boot has another
 * version of both, and what tests observe should not depend on the client under test.
 */
public final class RespConnection implements Closeable {

	private final Socket socket = new Socket();

	private final InputStream input;

	private RespConnection(InetSocketAddress server, int timeoutMillis) throws IOException {
		this.socket.setTcpNoDelay(true);
		this.socket.setSoTimeout(timeoutMillis);
		this.socket.connect(server, timeoutMillis); // closes the socket if it fails
		this.input = new BufferedInputStream(this.socket.getInputStream());
	}

	/**
	 * Connect.
	 * @param host name or address of the server
	 * @param port its port
	 * @param timeout the timeout of connecting, and of each reply
	 * @return an open connection
	 * @throws UncheckedIOException if the server cannot be reached
	 */
	public static RespConnection open(String host, int port, Duration timeout) {
		try {
			return new RespConnection(new InetSocketAddress(host, port), Math.toIntExact(timeout.toMillis()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No connection to %s:%d".formatted(host, port), ex);
		}
	}

	/**
	 * Send a command and wait for its reply.
	 * @param words the command and its arguments
	 * @return a {@code String}, a {@code Long}, a {@code List} of replies, or
	 * {@code null}
	 * @throws RedisErrorReply if the reply is an error; one inside a list is an element
	 * of it
	 * @throws UncheckedIOException if there is no reply, for example within the timeout
	 */
	public @Nullable Object command(String... words) {
		Object reply;
		try {
			this.socket.getOutputStream().write(encode(words));
			reply = read();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No reply to " + words[0], ex);
		}
		if (reply instanceof RedisErrorReply error) {
			throw error;
		}
		return reply;
	}

	private static byte[] encode(String... words) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		bytes.writeBytes("*%d\r\n".formatted(words.length).getBytes(StandardCharsets.UTF_8));
		for (String word : words) {
			byte[] text = word.getBytes(StandardCharsets.UTF_8);
			bytes.writeBytes("$%d\r\n".formatted(text.length).getBytes(StandardCharsets.UTF_8));
			bytes.writeBytes(text);
			bytes.writeBytes(new byte[] { '\r', '\n' });
		}
		return bytes.toByteArray();
	}

	private @Nullable Object read() throws IOException {
		String line = readLine();
		String value = line.substring(1);
		return switch (line.charAt(0)) {
			case '+' -> value;
			case '-' -> new RedisErrorReply(value);
			case ':' -> Long.valueOf(value);
			case '$' -> readText(Integer.parseInt(value));
			case '*' -> readList(Integer.parseInt(value));
			default -> throw new ProtocolException("Not a Redis reply: " + line);
		};
	}

	private String readLine() throws IOException {
		ByteArrayOutputStream line = new ByteArrayOutputStream();
		for (int b = this.input.read(); b != '\n'; b = this.input.read()) {
			if (b == -1) {
				throw new EOFException("The server closed the connection");
			}
			line.write(b);
		}
		String text = line.toString(StandardCharsets.UTF_8);
		if (text.length() < 2) {
			throw new ProtocolException("Not a Redis reply: an empty line");
		}
		return text.substring(0, text.length() - 1);
	}

	private @Nullable String readText(int length) throws IOException {
		if (length < 0) {
			return null;
		}
		byte[] text = this.input.readNBytes(length);
		this.input.skipNBytes(2);
		return new String(text, StandardCharsets.UTF_8);
	}

	private @Nullable List<@Nullable Object> readList(int size) throws IOException {
		if (size < 0) {
			return null;
		}
		List<@Nullable Object> list = new ArrayList<>();
		for (int i = 0; i < size; i++) {
			list.add(read());
		}
		return list;
	}

	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
