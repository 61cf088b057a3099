package io.github.ratelimit.web;

import io.github.ratelimit.notation.Network;

/**
 * Address by which a client is counted. An IPv6 client is counted by its network, since
 * it can usually pick any address there. An IPv6 address that contains an IPv4 address,
 * because it is IPv4-mapped or the client is behind NAT64, is counted as IPv4. The port
 * of a forwarded address is ignored. Anything that is not an IP address is counted as
 * written, without a DNS lookup.
 *
 * @since 0.1.0
 */
public final class ClientAddress {

	/** No address is longer, with its zone, port, brackets and quotes. */
	private static final int LONGEST = 128;

	private ClientAddress() {
	}

	/**
	 * Return the address to count by.
	 * @param remoteAddress the address of the connection, as the server reports it; with
	 * forwarded headers as a proxy has written it: {@code 192.0.2.1:47011},
	 * {@code [2001:db8::1]:443} or {@code [192.0.2.1:47011]} for example
	 * @param ipv6Prefix how many bits of an IPv6 address are the network
	 * @return {@code 192.0.2.1} or {@code 2001:db8:0:0:0:0:0:0/64}; empty if there is
	 * nothing but punctuation and a port
	 */
	public static String of(String remoteAddress, int ipv6Prefix) {
		if (remoteAddress.length() > LONGEST) {
			return remoteAddress;
		}
		String text = bare(remoteAddress);
		int colon = text.lastIndexOf(':');
		Network address = (colon < 0) ? null : Network.ofAddress(text);
		if (address == null && colon >= 0) {
			String host = bare(text.substring(0, colon));
			address = Network.ofAddress(host);
			text = (text.indexOf(':') == colon) ? host : text;
		}
		return (address == null) ? text : address.isIpv6() ? address.cut(ipv6Prefix).toString() : address.first();
	}

	/**
	 * Return whether a text has an address to count by, and is not counted as written.
	 * @param remoteAddress the address of the connection, as for {@link #of}
	 */
	static boolean isAddress(String remoteAddress) {
		return Network.ofAddress(of(remoteAddress, 128).replaceFirst("/128$", "")) != null;
	}

	/**
	 * Remove quotes, brackets and the zone, in any order. Frameworks put text with a
	 * colon in brackets, whatever it is, and servers may leave one quote of a pair.
	 */
	private static String bare(String text) {
		int from = 0;
		int to = text.length();
		while (from < to && isPunctuation(text.charAt(from))) {
			from++;
		}
		while (from < to && isPunctuation(text.charAt(to - 1))) {
			to--;
		}
		String inner = text.substring(from, to);
		int zone = inner.indexOf('%');
		return (zone < 0 || inner.indexOf(']') > zone) ? inner : inner.substring(0, zone);
	}

	private static boolean isPunctuation(char character) {
		return "[]\",".indexOf(character) >= 0 || Character.isWhitespace(character);
	}

}
