package io.github.ratelimit.web;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * The address a client is counted by. An IPv6 client usually has a whole network to pick
 * addresses from, so it is counted by its network; an IPv4 address mapped into IPv6 is
 * counted as the IPv4 address it is.
 *
 * @since 0.1.0
 */
public final class ClientAddress {

	private ClientAddress() {
	}

	/**
	 * The address to count by.
	 * @param remoteAddress the address of the connection, as the server tells it
	 * @param ipv6Prefix how many bits of an IPv6 address are the network
	 * @return {@code 192.0.2.1} or {@code 2001:db8:0:0:0:0:0:0/64}
	 */
	public static String of(String remoteAddress, int ipv6Prefix) {
		int zone = remoteAddress.indexOf('%');
		String address = (zone < 0) ? remoteAddress : remoteAddress.substring(0, zone);
		if (address.indexOf(':') < 0) {
			return address;
		}
		try {
			InetAddress parsed = InetAddress.getByName(address); // a colon: never looked
																	// up
			return (parsed instanceof Inet6Address) ? network(parsed.getAddress(), ipv6Prefix)
					: parsed.getHostAddress();
		}
		catch (UnknownHostException ex) {
			return address;
		}
	}

	private static String network(byte[] address, int prefix) throws UnknownHostException {
		for (int bit = prefix; bit < address.length * Byte.SIZE; bit++) {
			address[bit / Byte.SIZE] &= (byte) ~(0x80 >>> (bit % Byte.SIZE));
		}
		return InetAddress.getByAddress(address).getHostAddress() + '/' + prefix;
	}

}
