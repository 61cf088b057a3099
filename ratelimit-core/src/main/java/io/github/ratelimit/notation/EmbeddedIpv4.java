package io.github.ratelimit.notation;

import java.util.Arrays;

/**
 * IPv4 address that a translator between IPv6 and IPv4 has put into an IPv6 address: by
 * NAT64 (RFC 6052) with the well-known or a local-use prefix (RFC 8215), or by SIIT (RFC
 * 2765). Clients behind a translator would all have the same network otherwise. The JDK
 * reads IPv4-mapped addresses as IPv4 itself. An address of 6to4 remains IPv6, because it
 * begins with a network of its own, and one of Teredo, whose servers are switched off.
 */
final class EmbeddedIpv4 {

	private static final byte[] NAT64 = { 0, 0x64, (byte) 0xFF, (byte) 0x9B, 0, 0, 0, 0, 0, 0, 0, 0 };

	private static final byte[] LOCAL_NAT64 = { 0, 0x64, (byte) 0xFF, (byte) 0x9B, 0, 1 };

	private static final byte[] SIIT = { 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xFF, (byte) 0xFF, 0, 0 };

	/** Byte of an address that is zero and no part of the IPv4 address. */
	private static final int UNUSED = 8;

	private EmbeddedIpv4() {
	}

	/** Return the bytes of the IPv4 address in an address, or all if there is none. */
	static byte[] in(byte[] address) {
		if (begins(address, NAT64) || begins(address, SIIT)) {
			return at(12, address);
		}
		return begins(address, LOCAL_NAT64) ? at(localPosition(address), address) : address;
	}

	private static boolean begins(byte[] address, byte[] prefix) {
		return address.length > prefix.length && Arrays.equals(address, 0, prefix.length, prefix, 0, prefix.length);
	}

	/**
	 * Return where the IPv4 address begins, directly behind a prefix of 48, 56, 64 or 96
	 * bits. The bytes behind it are zero, so the last one that is not tells the prefix.
	 */
	private static int localPosition(byte[] address) {
		int end = address.length;
		while (address[end - 1] == 0) {
			end--;
		}
		return switch (end) {
			case 14, 15, 16 -> 12;
			case 13 -> 9;
			case 12 -> 7;
			default -> 6;
		};
	}

	private static byte[] at(int position, byte[] address) {
		byte[] ipv4 = new byte[4];
		int next = position;
		for (int i = 0; i < ipv4.length; i++) {
			next += (next == UNUSED) ? 1 : 0;
			ipv4[i] = address[next++];
		}
		return ipv4;
	}

}
