package io.github.ratelimit.fuzz;

import io.github.ratelimit.notation.Network;
import io.github.ratelimit.web.ClientAddress;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Addresses of clients as servers and proxies write them, and networks as users list
 * them. A network is read as it is written; an address counts the same with a port, in
 * brackets and in quotes.
 */
public final class AddressFuzz {

	private AddressFuzz() {
	}

	public static void fuzzerTestOneInput(byte[] input) {
		FuzzInput from = new FuzzInput(input);
		int prefix = 1 + from.below(128);
		String text = from.text();
		Network network = Network.of(text);
		if (network != null) {
			assertNetwork(text, network);
		}
		assertThat(Network.isMistaken(text) && network != null).isFalse();
		assertThat(Network.isEmbedded(text) && network != null).isFalse();
		Network.of(Network.withoutLeadingZeros(text));
		String counted = ClientAddress.of(text, prefix);
		assertThat(counted.length()).isLessThanOrEqualTo(Math.max(text.length(), 64));
		Network address = Network.ofAddress(text);
		if (address != null) {
			assertAddress(text, address, prefix, counted);
		}
	}

	private static void assertNetwork(String text, Network network) {
		String written = network.toString();
		if (!Network.isEmbedded(written)) {
			assertThat(Network.of(written)).as(written).isEqualTo(network).hasSameHashCodeAs(network);
			assertThat(network.beginsAt(network.first())).isTrue();
		}
		assertThat(network.cut(network.prefix())).isEqualTo(network);
		assertThat(network.cut(0).prefix()).isZero();
		assertThat(network.prefix()).isBetween(0, network.isIpv6() ? 128 : 32);
		assertThat(text).doesNotContainAnyWhitespaces();
	}

	private static void assertAddress(String text, Network address, int prefix, String counted) {
		assertThat(counted).isEqualTo(address.isIpv6() ? address.cut(prefix).toString() : address.first());
		for (String format : new String[] { "[%s]", "[%s]:47011", "\"[%s]:443\"", "\"%s\"", " %s ", "%s%%eth0" }) {
			assertThat(ClientAddress.of(format.formatted(text), prefix)).as(format).isEqualTo(counted);
		}
		if (text.indexOf(':') < 0) {
			assertThat(ClientAddress.of(text + ":47011", prefix)).isEqualTo(counted);
		}
	}

}
