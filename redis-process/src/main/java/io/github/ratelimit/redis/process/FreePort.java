package io.github.ratelimit.redis.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntPredicate;

/**
 * Free port of the loopback interface.
 * <p>
 * It lies below the range from which systems take the ports of outgoing connections
 * (32768 and up on Linux, 49152 and up elsewhere). So no connection can take it while its
 * server is restarted, and a client that keeps trying to connect to a killed server
 * cannot by chance get that very port as its own and end up connected to itself. The same
 * holds for the second port of a cluster node, which is 10000 higher.
 */
public final class FreePort {

	private static final int FROM = 16_000;

	private static final int TO = 32_000;

	private static final int TO_BUS = 10_000;

	private FreePort() {
	}

	/**
	 * Find a port.
	 */
	public static int find() {
		return find(TO, FreePort::isFree);
	}

	/**
	 * Find a port for a node of a cluster, whose cluster bus port is free as well.
	 */
	static int findForClusterNode() {
		return find(TO - TO_BUS, (port) -> isFree(port) && isFree(port + TO_BUS));
	}

	private static int find(int to, IntPredicate isFree) {
		for (int attempt = 0; attempt < 100; attempt++) {
			int port = ThreadLocalRandom.current().nextInt(FROM, to);
			if (isFree.test(port)) {
				return port;
			}
		}
		throw new IllegalStateException("No free port between %d and %d in 100 attempts".formatted(FROM, to));
	}

	private static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
			return socket.isBound();
		}
		catch (IOException ex) {
			return false;
		}
	}

}
