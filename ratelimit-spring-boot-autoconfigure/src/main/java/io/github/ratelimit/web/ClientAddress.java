package io.github.ratelimit.web;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/**
 * Address by which a client is counted. An IPv6 client is counted by its network, since
 * it can usually pick any address there. An IPv4-mapped IPv6 address is counted as IPv4.
 * The port of a forwarded address is ignored. Anything that is not an IP address is
 * counted as written, without a DNS lookup.
 *
 * @since 0.1.0
 */
public final class ClientAddress {

	private static final Pattern IPV6_LITERAL = Pattern.compile("[0-9a-fA-F]*:[0-9a-fA-F]*:[0-9a-fA-F.:]*");

	private ClientAddress() {
	}

	/**
	 * Return the address to count by.
	 * @param remoteAddress the address of the connection, as the server reports it
	 * @param ipv6Prefix how many bits of an IPv6 address are the network
	 * @return {@code 192.0.2.1} or {@code 2001:db8:0:0:0:0:0:0/64}
	 */
	public static String of(String remoteAddress, int ipv6Prefix) {
		String address = withoutZone(withoutPort(remoteAddress));
		if (address.indexOf(':') < 0 || !IPV6_LITERAL.matcher(address).matches()) {
			return address;
		}
		try {
			InetAddress parsed = InetAddress.getByName(address); // literal: no lookup
			return (parsed instanceof Inet6Address) ? network(parsed.getAddress(), ipv6Prefix)
					: parsed.getHostAddress();
		}
		catch (UnknownHostException ex) {
			return address;
		}
	}

	/**
	 * Remove the port: proxies may write {@code 192.0.2.1:47011},
	 * {@code [2001:db8::1]:443} or, by RFC 7239, {@code _hidden:_port}. An IPv6 address
	 * without brackets has no port.
	 */
	private static String withoutPort(String address) {
		if (address.startsWith("[")) {
			int end = address.indexOf(']');
			return (end < 0) ? address : address.substring(1, end);
		}
		int colon = address.indexOf(':');
		return (colon > 0 && colon == address.lastIndexOf(':')) ? address.substring(0, colon) : address;
	}

	private static String withoutZone(String address) {
		int zone = address.indexOf('%');
		return (zone < 0) ? address : address.substring(0, zone);
	}

	private static String network(byte[] address, int prefix) throws UnknownHostException {
		for (int bit = prefix; bit < address.length * Byte.SIZE; bit++) {
			address[bit / Byte.SIZE] &= (byte) ~(0x80 >>> (bit % Byte.SIZE));
		}
		return InetAddress.getByAddress(address).getHostAddress() + '/' + prefix;
	}

}
