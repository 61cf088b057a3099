package io.github.ratelimit.web;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * Warning about a proxy whose forwarded headers nothing reads, so that all clients behind
 * it share the counter of its address. It is logged once.
 *
 * @since 0.1.0
 */
public final class ForwardedHeaderWarning {

	private static final Logger logger = System.getLogger(ForwardedHeaderWarning.class.getName());

	private static final List<String> HEADERS = List.of("X-Forwarded-For", "Forwarded");

	private volatile boolean done;

	public ForwardedHeaderWarning(boolean isDecided) {
		this.done = isDecided;
	}

	/**
	 * Warn if a request that is counted by its address has such a header. One that
	 * contains the address is in use, or would change nothing.
	 */
	public void check(String address, UnaryOperator<@Nullable String> headers) {
		for (int i = 0; i < HEADERS.size() && !this.done; i++) {
			String value = headers.apply(HEADERS.get(i));
			if (value != null && !value.contains(address)) {
				warn(HEADERS.get(i));
			}
		}
	}

	private synchronized void warn(String header) {
		if (!this.done) {
			this.done = true;
			logger.log(Level.WARNING, "A request that is counted by ip has the header " + header + ", which is not "
					+ "used: ip is the address of the connection, so all clients behind a proxy share a counter. If "
					+ "your proxy sets the header, set server.forward-headers-strategy to native or framework; if "
					+ "clients may send it themselves, set it to none. This is logged once.");
		}
	}

}
