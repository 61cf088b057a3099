package io.github.ratelimit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToIntFunction;

import org.jspecify.annotations.Nullable;

/**
 * Proxy in front of a Redis server that is not always faithful. While it is silent, it
 * accepts connections and never answers them, not even when later ones are answered
 * again. It can lose the reply to a script, which Redis has run, together with the
 * connection, or deliver one twice.
 */
public final class FaultyProxy implements AutoCloseable {

	private volatile int port;

	private final ServerSocket server;

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final AtomicReference<@Nullable Fault> next = new AtomicReference<>();

	private volatile boolean silent;

	/**
	 * Create a proxy that forwards connections.
	 * @param port the port of the server
	 */
	public FaultyProxy(int port) {
		this.port = port;
		try {
			this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.threads.execute(this::accept);
	}

	public String host() {
		return this.server.getInetAddress().getHostAddress();
	}

	public int port() {
		return this.server.getLocalPort();
	}

	/**
	 * Break all connections, and do not answer new ones.
	 */
	public FaultyProxy silence() {
		this.silent = true;
		this.sockets.forEach(FaultyProxy::close);
		return this;
	}

	/**
	 * Answer new connections.
	 */
	public void answer() {
		this.silent = false;
	}

	/**
	 * Forward new connections to another server, as the address of a master leads there
	 * after a failover.
	 */
	public void forwardTo(int port) {
		this.port = port;
	}

	/**
	 * Lose the reply to the next script call, and the connection with it.
	 */
	public void loseNextReply() {
		this.next.set(Fault.LOST);
	}

	/**
	 * Deliver the reply to the next script call twice.
	 */
	public void repeatNextReply() {
		this.next.set(Fault.TWICE);
	}

	private void accept() {
		try {
			while (true) {
				Socket client = this.server.accept();
				this.sockets.add(client);
				if (!this.silent) {
					Socket forwarded = new Socket(InetAddress.getLoopbackAddress(), this.port);
					this.sockets.add(forwarded);
					AtomicReference<@Nullable Fault> due = new AtomicReference<>();
					this.threads.execute(() -> copy(client, forwarded, (call) -> {
						Fault fault = call.contains("EVALSHA") ? this.next.getAndSet(null) : null;
						if (fault != null) {
							due.set(fault);
						}
						return 1;
					}));
					this.threads.execute(() -> copy(forwarded, client, (reply) -> {
						Fault fault = due.getAndSet(null);
						return (fault == null) ? 1 : (fault == Fault.TWICE) ? 2 : 0;
					}));
				}
			}
		}
		catch (IOException ex) {
			// closed
		}
	}

	/**
	 * Copy bytes.
	 * @param times returns how many times some are delivered; 0 ends the connection
	 */
	private void copy(Socket from, Socket to, ToIntFunction<String> times) {
		byte[] buffer = new byte[65536];
		try (from; to) {
			InputStream input = from.getInputStream();
			OutputStream output = to.getOutputStream();
			for (int length = input.read(buffer); length >= 0; length = input.read(buffer)) {
				String text = new String(buffer, 0, length, StandardCharsets.ISO_8859_1);
				String delivered = text.repeat(times.applyAsInt(text));
				if (delivered.isEmpty()) {
					return;
				}
				output.write(delivered.getBytes(StandardCharsets.ISO_8859_1));
			}
		}
		catch (IOException ex) {
			// the other direction ended
		}
		finally {
			this.sockets.remove(from);
			this.sockets.remove(to);
		}
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
	public void close() {
		try {
			this.server.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.sockets.forEach(FaultyProxy::close);
		this.threads.shutdownNow();
	}

	private enum Fault {

		LOST, TWICE

	}

}
