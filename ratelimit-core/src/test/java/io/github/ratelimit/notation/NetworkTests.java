package io.github.ratelimit.notation;

import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Networks and addresses as text.
 */
class NetworkTests {

	@ParameterizedTest
	@CsvSource({ "10.0.0.0/8, 10.0.0.0/8", "10.1.2.3/8, 10.0.0.0/8", "192.0.2.1, 192.0.2.1/32", "0.0.0.0/0, 0.0.0.0/0",
			"255.255.255.255, 255.255.255.255/32", "2001:db8::/32, 2001:db8:0:0:0:0:0:0/32", "::/0, 0:0:0:0:0:0:0:0/0",
			"::1, 0:0:0:0:0:0:0:1/128", "2001:DB8::1/33, 2001:db8:0:0:0:0:0:0/33",
			"2001:db8:0:0:0:0:0:0/64, 2001:db8:0:0:0:0:0:0/64", "::ffff:192.0.2.1, 192.0.2.1/32",
			"64:ff9b::192.0.2.1, 192.0.2.1/32", "64:ff9b:1::c000:201, 192.0.2.1/32",
			"::ffff:0:192.0.2.1, 192.0.2.1/32" })
	void isRead(String text, String network) {
		assertThat(Network.of(text)).hasToString(network).isEqualTo(Network.of(network));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "acme", "10.0.0", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.0/8/8",
			"10.0.0.256", "1.2.3.4.5", "2001:db8::/129", "2001:db8:::", "2001:db8::g", "fe80::1%eth0", "[::1]",
			"10.0.0.0/eight", "10.0.0.1:80", "cafe", "de:ad", "::/0000", "010.0.0.0", "10.0.0.0/08", "::ffff:010.0.0.1",
			"::ffff:10.0.0.0/8", "::ffff:10.0.0.0/104", "64:ff9b::/96", "64:ff9b::10.0.0.0/104", "64:ff9b:1::/48" })
	void isNone(String text) {
		assertThat(Network.of(text)).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "10.0.0.0/8, false", "10.0.0/8, true", "10.0.0.0/33, true", "10.0.0.0/eight, true",
			"2001:db8::/129, true", "10.0.0.1, false", "a/b, false", "health-check, false", "1.2/beta, false",
			"/8, false", "tenant.a/8, false", "1:2:3:4:5:6:7:8:9, true" })
	void isMistaken(String text, boolean mistaken) {
		assertThat(Network.isMistaken(text)).isEqualTo(mistaken);
	}

	@ParameterizedTest
	@CsvSource({ "010.0.0.0/08, 10.0.0.0/8", "00.0.0.0/00, 0.0.0.0/0", "192.168.001.100, 192.168.1.100",
			"2001:0db8::/032, 2001:0db8::/32" })
	void isWrittenWithoutLeadingZeros(String text, String expected) {
		assertThat(Network.withoutLeadingZeros(text)).isEqualTo(expected);
	}

	@Test
	void isCutAtABit() {
		Network address = Objects.requireNonNull(Network.of("10.255.255.255"));
		assertThat(address.cut(9)).hasToString("10.128.0.0/9");
		assertThat(address.cut(32)).isSameAs(address);
	}

}
