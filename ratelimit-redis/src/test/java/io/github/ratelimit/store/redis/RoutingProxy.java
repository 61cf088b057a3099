package io.github.ratelimit.store.redis;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;

import io.github.ratelimit.redis.process.RedisProcess;

/**
 * Proxy that sends each script call to the server of its first key, as Envoy, twemproxy
 * and the endpoints of managed clusters do. It answers {@code PING}, and refuses all
 * other commands and scripts without keys.
 */
final class RoutingProxy implements Closeable {

	private final ServerSocket server;

	private final Function<byte[], RedisProcess> servers;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final List<Socket> sockets = new ArrayList<>();

	private RoutingProxy(Function<byte[], RedisProcess> servers) {
		this.servers = servers;
		try {
			this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.threads.execute(this::accept);
	}

	/**
	 * Start a proxy that sends a key to the master of its hash slot.
	 * @param masters return the master of a hash slot
	 */
	static RoutingProxy bySlot(Function<Integer, RedisProcess> masters) {
		return new RoutingProxy((key) -> masters.apply(ClusterSlotHashUtil.calculateSlot(key)));
	}

	/**
	 * Start a proxy that spreads keys over servers that do not know of each other.
	 * @param hashed returns the part of a key that is hashed
	 */
	static RoutingProxy byHash(List<RedisProcess> servers, UnaryOperator<String> hashed) {
		return new RoutingProxy((key) -> {
			CRC32 hash = new CRC32();
			hash.update(hashed.apply(new String(key, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8));
			return servers.get((int) (hash.getValue() / 7 % servers.size()));
		});
	}

	String host() {
		return this.server.getInetAddress().getHostAddress();
	}

	int port() {
		return this.server.getLocalPort();
	}

	private void accept() {
		try {
			while (true) {
				Socket client = opened(this.server.accept());
				this.threads.execute(() -> serve(client));
			}
		}
		catch (IOException ex) {
			// closed
		}
	}

	private Socket opened(Socket socket) throws IOException {
		socket.setTcpNoDelay(true);
		synchronized (this.sockets) {
			this.sockets.add(socket);
		}
		return socket;
	}

	private void serve(Socket client) {
		Map<RedisProcess, Socket> backends = new HashMap<>();
		try (client) {
			InputStream input = new BufferedInputStream(client.getInputStream(), 65_536);
			OutputStream output = new BufferedOutputStream(client.getOutputStream(), 65_536);
			while (true) {
				output.write(reply(command(input), backends));
				if (input.available() == 0) {
					output.flush();
				}
			}
		}
		catch (IOException ex) {
			// the client or a server has left
		}
		finally {
			backends.values().forEach(RoutingProxy::close);
		}
	}

	private byte[] reply(List<byte[]> command, Map<RedisProcess, Socket> backends) throws IOException {
		String name = text(command.get(0)).toUpperCase(Locale.ROOT);
		boolean isScript = name.equals("EVAL") || name.equals("EVALSHA");
		if (name.equals("PING")) {
			return "+PONG\r\n".getBytes(StandardCharsets.US_ASCII);
		}
		if (!isScript || text(command.get(2)).equals("0")) {
			return ("-ERR unknown command '" + name + "'\r\n").getBytes(StandardCharsets.US_ASCII);
		}
		RedisProcess owner = this.servers.apply(command.get(3));
		Socket backend = backends.get(owner);
		if (backend == null) {
			backend = opened(new Socket(owner.host(), owner.port()));
			backends.put(owner, backend);
		}
		backend.getOutputStream().write(encoded(command));
		ByteArrayOutputStream reply = new ByteArrayOutputStream();
		copyReply(backend.getInputStream(), reply);
		return reply.toByteArray();
	}

	private static List<byte[]> command(InputStream input) throws IOException {
		int words = Integer.parseInt(line(input).substring(1));
		List<byte[]> command = new ArrayList<>();
		for (int i = 0; i < words; i++) {
			command.add(input.readNBytes(Integer.parseInt(line(input).substring(1))));
			input.skipNBytes(2);
		}
		return command;
	}

	private static byte[] encoded(List<byte[]> command) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		bytes.writeBytes(("*" + command.size() + "\r\n").getBytes(StandardCharsets.US_ASCII));
		for (byte[] word : command) {
			bytes.writeBytes(("$" + word.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
			bytes.writeBytes(word);
			bytes.writeBytes(new byte[] { '\r', '\n' });
		}
		return bytes.toByteArray();
	}

	/**
	 * Copy the reply of a script: a line, or a string.
	 */
	private static void copyReply(InputStream input, ByteArrayOutputStream reply) throws IOException {
		String line = line(input);
		reply.writeBytes((line + "\r\n").getBytes(StandardCharsets.UTF_8));
		if (line.charAt(0) == '*') {
			for (int i = 0; i < Integer.parseInt(line.substring(1)); i++) {
				copyReply(input, reply);
			}
		}
		else if (line.charAt(0) == '$' && !line.equals("$-1")) {
			reply.writeBytes(input.readNBytes(Integer.parseInt(line.substring(1)) + 2));
		}
	}

	private static String line(InputStream input) throws IOException {
		ByteArrayOutputStream line = new ByteArrayOutputStream();
		for (int next = input.read(); next != '\n'; next = input.read()) {
			if (next < 0) {
				throw new EOFException();
			}
			line.write(next);
		}
		String text = line.toString(StandardCharsets.UTF_8);
		return text.substring(0, text.length() - 1);
	}

	private static String text(byte[] word) {
		return new String(word, StandardCharsets.UTF_8);
	}

	private static void close(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() throws IOException {
		this.server.close();
		synchronized (this.sockets) {
			this.sockets.forEach(RoutingProxy::close);
		}
		this.threads.shutdownNow();
	}

}
