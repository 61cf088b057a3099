package io.github.ratelimit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Balancer in front of a server that can be silent: it accepts connections and never
 * answers them, not even when later ones are answered again.
 */
public final class SilentProxy implements AutoCloseable {

	private final int port;

	private final ServerSocket server;

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private volatile boolean silent;

	/**
	 * Create a proxy that forwards connections.
	 * @param port the port of the server
	 */
	public SilentProxy(int port) {
		this.port = port;
		try {
			this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.threads.execute(this::accept);
	}

	public int port() {
		return this.server.getLocalPort();
	}

	/**
	 * Break all connections, and do not answer new ones.
	 */
	public SilentProxy silence() {
		this.silent = true;
		this.sockets.forEach(SilentProxy::close);
		return this;
	}

	/**
	 * Answer new connections.
	 */
	public void answer() {
		this.silent = false;
	}

	private void accept() {
		try {
			while (true) {
				Socket client = this.server.accept();
				this.sockets.add(client);
				if (!this.silent) {
					Socket forwarded = new Socket(InetAddress.getLoopbackAddress(), this.port);
					this.sockets.add(forwarded);
					this.threads.execute(() -> copy(client, forwarded));
					this.threads.execute(() -> copy(forwarded, client));
				}
			}
		}
		catch (IOException ex) {
			// closed
		}
	}

	private void copy(Socket from, Socket to) {
		byte[] buffer = new byte[65536];
		try (from; to) {
			InputStream input = from.getInputStream();
			OutputStream output = to.getOutputStream();
			for (int length = input.read(buffer); length >= 0; length = input.read(buffer)) {
				output.write(buffer, 0, length);
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
		this.sockets.forEach(SilentProxy::close);
		this.threads.shutdownNow();
	}

}
