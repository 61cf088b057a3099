package io.github.ratelimit.redis.process;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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
 * <p>
 * No port is found twice, not even by other JVMs, whose servers could take it before this
 * one does or while it is down: until this JVM ends, it has the datagram port of the same
 * number.
 */
public final class FreePort {

	private static final int FROM = 16_000;

	private static final int TO = 32_000;

	private static final int TO_BUS = 10_000;

	private static final List<DatagramSocket> CLAIMS = new CopyOnWriteArrayList<>();

	private FreePort() {
	}

	/**
	 * Find a port.
	 */
	public static int find() {
		return find(TO, FreePort::claim);
	}

	/**
	 * Find a port for a node of a cluster, whose cluster bus port is free as well.
	 */
	static int findForClusterNode() {
		return find(TO - TO_BUS, (port) -> claim(port) && claim(port + TO_BUS));
	}

	private static int find(int to, IntPredicate claim) {
		for (int attempt = 0; attempt < 100; attempt++) {
			int port = ThreadLocalRandom.current().nextInt(FROM, to);
			if (claim.test(port)) {
				return port;
			}
		}
		throw new IllegalStateException("No free port between %d and %d in 100 attempts".formatted(FROM, to));
	}

	private static boolean claim(int port) {
		InetAddress loopback = InetAddress.getLoopbackAddress();
		try (ServerSocket socket = new ServerSocket(port, 1, loopback)) {
			CLAIMS.add(new DatagramSocket(socket.getLocalPort(), loopback));
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

}
