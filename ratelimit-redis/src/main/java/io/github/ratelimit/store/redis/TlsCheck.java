package io.github.ratelimit.store.redis;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.StoreException;

/**
 * Check whether a server that cannot be connected to expects TLS and the client does not
 * use it, or the reverse. The errors of the clients do not show that: the server closes
 * the connection, or waits for more. A single server is asked on a connection of its own;
 * others are not checked.
 */
record TlsCheck(String host, int port, boolean usesTls, String address) {

	private static final int TIMEOUT_MILLIS = 500;

	/**
	 * First bytes of the records by which a server answers a TLS handshake: of a
	 * handshake, or of an alert.
	 */
	private static final List<Integer> TLS_RECORDS = List.of(22, 21);

	/** First bytes of replies of Redis: a status or an error. */
	private static final List<Integer> REPLIES = List.of((int) '+', (int) '-');

	/**
	 * Return the failure to report, {@code null} if client and server agree or the server
	 * does not answer in a moment.
	 */
	@Nullable StoreException mismatch() {
		if (this.usesTls) {
			return answers("PING\r\n".getBytes(StandardCharsets.US_ASCII), REPLIES) ? failure(
					"does not use TLS, but the client does",
					"Set spring.data.redis.ssl.enabled to false (if spring.data.redis.url is set, write redis:// in it "
							+ "instead of rediss://), or connect to the port for TLS.")
					: null;
		}
		return answers(clientHello(), TLS_RECORDS) ? failure("uses TLS, but the client does not",
				"Set spring.data.redis.ssl.enabled to true (if spring.data.redis.url is set, write rediss:// in it "
						+ "instead of redis://), or connect to the port without TLS.")
				: null;
	}

	private StoreException failure(String message, String remedy) {
		return new StoreException(this.address + ' ' + message, null, "tls", true, remedy);
	}

	private boolean answers(byte[] request, List<Integer> expected) {
		try (Socket socket = new Socket()) {
			socket.setSoTimeout(TIMEOUT_MILLIS);
			socket.connect(new InetSocketAddress(this.host, this.port), TIMEOUT_MILLIS);
			socket.getOutputStream().write(request);
			return expected.contains(socket.getInputStream().read());
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static byte[] clientHello() {
		try {
			SSLEngine engine = SSLContext.getDefault().createSSLEngine();
			engine.setUseClientMode(true);
			engine.beginHandshake();
			ByteBuffer message = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
			engine.wrap(ByteBuffer.allocate(0), message);
			return Arrays.copyOf(message.array(), message.position());
		}
		catch (IOException | GeneralSecurityException ex) {
			return new byte[0];
		}
	}

}
