package io.github.ratelimit.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.ratelimit.redis.process.RedisProcess;

/**
 * Proxy of Redis that can lose a reply, or deliver one twice. If one is lost, Redis has
 * run the command, and the connection breaks before the reply arrives.
 */
final class LosingProxy implements AutoCloseable {

	private final RedisProcess redis;

	private final ServerSocket server;

	private final AtomicBoolean armed = new AtomicBoolean();

	private final AtomicBoolean losing = new AtomicBoolean();

	private final AtomicBoolean repeatArmed = new AtomicBoolean();

	private final AtomicBoolean repeating = new AtomicBoolean();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	LosingProxy(RedisProcess redis) {
		this.redis = redis;
		try {
			this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.threads.execute(this::accept);
	}

	String host() {
		return this.server.getInetAddress().getHostAddress();
	}

	int port() {
		return this.server.getLocalPort();
	}

	/**
	 * Lose the reply to the next script call, and the connection with it.
	 */
	void loseNextReply() {
		this.armed.set(true);
	}

	/**
	 * Deliver the reply to the next script call twice.
	 */
	void repeatNextReply() {
		this.repeatArmed.set(true);
	}

	private void accept() {
		try {
			while (true) {
				Socket client = this.server.accept();
				Socket redisSide = new Socket(this.redis.host(), this.redis.port());
				this.threads.execute(() -> copy(client, redisSide, false));
				this.threads.execute(() -> copy(redisSide, client, true));
			}
		}
		catch (IOException ex) {
			// closed
		}
	}

	private void copy(Socket from, Socket to, boolean replies) {
		byte[] buffer = new byte[65536];
		try (from; to) {
			InputStream input = from.getInputStream();
			OutputStream output = to.getOutputStream();
			for (int length = input.read(buffer); length >= 0; length = input.read(buffer)) {
				if (replies && this.losing.compareAndSet(true, false)) {
					return;
				}
				String text = new String(buffer, 0, length, StandardCharsets.ISO_8859_1);
				if (!replies && text.contains("EVALSHA") && this.armed.compareAndSet(true, false)) {
					this.losing.set(true);
				}
				if (!replies && text.contains("EVALSHA") && this.repeatArmed.compareAndSet(true, false)) {
					this.repeating.set(true);
				}
				boolean twice = replies && this.repeating.compareAndSet(true, false);
				output.write((twice ? text + text : text).getBytes(StandardCharsets.ISO_8859_1));
			}
		}
		catch (IOException ex) {
			// the other direction ended
		}
	}

	@Override
	public void close() throws IOException {
		this.server.close();
		this.threads.shutdownNow();
	}

}
