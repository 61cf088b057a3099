package io.github.ratelimit.notation;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Network of IP addresses, {@code 10.0.0.0/8} or {@code 2001:db8::/32} for example. A
 * single address is a network, too. An IPv6 address that contains an IPv4 address, as
 * those of clients behind NAT64 do, is read as IPv4. Nothing is looked up in DNS.
 *
 * @since 0.1.0
 */
public final class Network {

	private static final Pattern IPV4 = Pattern.compile("(0|[1-9]\\d{0,2})" + "\\.(0|[1-9]\\d{0,2})".repeat(3));

	private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F]{0,4}:[0-9a-fA-F]{0,4}:[0-9a-fA-F:.]*");

	private static final Pattern PREFIX = Pattern.compile("0|[1-9]\\d{0,2}");

	private static final Pattern LEADING_ZEROS = Pattern.compile("(?<![0-9a-fA-F:])0+(?=\\d)");

	private static final int LONGEST = 49;

	private final byte[] address;

	private final int prefix;

	private Network(byte[] address, int prefix) {
		this.address = address;
		this.prefix = prefix;
	}

	/**
	 * Read a network without bits behind its prefix, or an address; {@code null} if the
	 * text is neither.
	 */
	public static @Nullable Network of(String text) {
		if (text.length() > LONGEST || text.isEmpty() || !mayBegin(text.charAt(0))) {
			return null;
		}
		int slash = text.indexOf('/');
		String first = (slash < 0) ? text : text.substring(0, slash);
		byte[] address = address(first);
		if (address == null || (slash >= 0 && isEmbedded(address, first))) {
			return null;
		}
		int bits = address.length * Byte.SIZE;
		int prefix = (slash < 0) ? bits : prefix(text.substring(slash + 1));
		return (prefix < 0 || prefix > bits) ? null : new Network(address, bits).cut(prefix);
	}

	private static boolean mayBegin(char character) {
		return Character.digit(character, 16) >= 0 || character == ':';
	}

	private static int prefix(String text) {
		return PREFIX.matcher(text).matches() ? Integer.parseInt(text) : -1;
	}

	private static byte @Nullable [] address(String text) {
		Matcher parts = IPV4.matcher(text);
		if (parts.matches()) {
			byte[] bytes = new byte[4];
			for (int i = 0; i < bytes.length; i++) {
				int part = Integer.parseInt(parts.group(i + 1));
				if (part > 0xFF) {
					return null;
				}
				bytes[i] = (byte) part;
			}
			return bytes;
		}
		if (!IPV6.matcher(text).matches() || !endsPlainly(text)) {
			return null;
		}
		try {
			byte[] literal = InetAddress.getByName(text).getAddress(); // no lookup
			return EmbeddedIpv4.in(literal);
		}
		catch (UnknownHostException ex) {
			return null;
		}
	}

	/**
	 * Return whether an IPv4 address was written as IPv6. The prefix of such a network
	 * would count other bits.
	 */
	private static boolean isEmbedded(byte[] address, String text) {
		return address.length == 4 && text.indexOf(':') >= 0;
	}

	/** Return whether an IPv4 address that ends an IPv6 address, if any, is valid. */
	private static boolean endsPlainly(String text) {
		return text.indexOf('.') < 0 || IPV4.matcher(text.substring(text.lastIndexOf(':') + 1)).matches();
	}

	/** Read an address as a network of its own, {@code null} if the text is none. */
	public static @Nullable Network ofAddress(String text) {
		return (text.indexOf('/') < 0) ? of(text) : null;
	}

	/**
	 * Return whether a text is a network of IPv4 addresses in their IPv6 form, which is
	 * not read: {@code 64:ff9b::/96} and {@code ::ffff:10.0.0.0/104}.
	 */
	public static boolean isEmbedded(String text) {
		int slash = text.indexOf('/');
		Network address = (slash > 0) ? ofAddress(text.substring(0, slash)) : null;
		return address != null && isEmbedded(address.address, text);
	}

	/**
	 * Return whether a text is meant as an address or a network, and is none:
	 * {@code 10.0.0/8}, {@code 10.*} and {@code 999.1.1.1} for example.
	 */
	public static boolean isMistaken(String text) {
		return of(text) == null && NetworkLike.matches(text);
	}

	/**
	 * Return a text without leading zeros of decimal numbers, which some read as octal:
	 * {@code 10.0.0.0/8} for {@code 010.0.0.0/08}.
	 */
	public static String withoutLeadingZeros(String text) {
		return LEADING_ZEROS.matcher(text).replaceAll("");
	}

	/** Return the network around this one with a prefix of so many bits, not more. */
	public Network cut(int bits) {
		if (bits == this.prefix) {
			return this;
		}
		byte[] masked = this.address.clone();
		for (int bit = bits; bit < masked.length * Byte.SIZE; bit++) {
			masked[bit / Byte.SIZE] &= (byte) ~(0x80 >>> (bit % Byte.SIZE));
		}
		return new Network(masked, bits);
	}

	/** Return whether an address is the first one of this network. */
	public boolean beginsAt(String text) {
		return Arrays.equals(this.address, address(text));
	}

	/** Return the number of leading bits that addresses share, at most 32 or 128. */
	public int prefix() {
		return this.prefix;
	}

	/** Return the first address, {@code 2001:db8:0:0:0:0:0:0} for example. */
	public String first() {
		try {
			return InetAddress.getByAddress(this.address).getHostAddress();
		}
		catch (UnknownHostException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Return whether the addresses are IPv6 instead of IPv4. */
	public boolean isIpv6() {
		return this.address.length > 4;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof Network that && this.prefix == that.prefix && Arrays.equals(this.address, that.address);
	}

	@Override
	public int hashCode() {
		return Arrays.hashCode(this.address) * 31 + this.prefix;
	}

	/** Return {@code 10.0.0.0/8} or {@code 2001:db8:0:0:0:0:0:0/32} for example. */
	@Override
	public String toString() {
		return first() + '/' + this.prefix;
	}

}
