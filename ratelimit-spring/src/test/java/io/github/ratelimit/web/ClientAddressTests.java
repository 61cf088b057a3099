package io.github.ratelimit.web;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Address by which a client is counted.
 */
class ClientAddressTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
			192.0.2.1                     | 64  | 192.0.2.1
			::ffff:192.0.2.1              | 64  | 192.0.2.1
			::ffff:c000:201               | 64  | 192.0.2.1
			2001:db8:1:2:3:4:5:6          | 64  | 2001:db8:1:2:0:0:0:0/64
			2001:db8:1:2:ffff:ffff:0:1    | 64  | 2001:db8:1:2:0:0:0:0/64
			2001:DB8:1:2::6               | 64  | 2001:db8:1:2:0:0:0:0/64
			2001:db8:1:2:3:4:5:6          | 48  | 2001:db8:1:0:0:0:0:0/48
			2001:db8:1:ffff:3:4:5:6       | 52  | 2001:db8:1:f000:0:0:0:0/52
			2001:db8:1:2:3:4:5:6          | 128 | 2001:db8:1:2:3:4:5:6/128
			2001:db8:1:2:3:4:5:6          | 1   | 0:0:0:0:0:0:0:0/1
			fe80::1:2:3:4%eth0            | 64  | fe80:0:0:0:0:0:0:0/64
			fe80::1:2:3:4%2               | 64  | fe80:0:0:0:0:0:0:0/64
			::1                           | 64  | 0:0:0:0:0:0:0:0/64
			0:0:0:0:0:0:0:1               | 128 | 0:0:0:0:0:0:0:1/128
			not:an:address                | 64  | not:an:address
			proxy                         | 64  | proxy
			''                            | 64  | ''
			192.0.2.1:5678                | 64  | 192.0.2.1
			192.0.2.1:_port               | 64  | 192.0.2.1
			192.0.2.1:                    | 64  | 192.0.2.1
			[2001:db8:1:2:3:4:5:6]:443    | 64  | 2001:db8:1:2:0:0:0:0/64
			[2001:db8:1:2:3:4:5:6]        | 64  | 2001:db8:1:2:0:0:0:0/64
			[fe80::1:2:3:4%eth0]:443      | 64  | fe80:0:0:0:0:0:0:0/64
			[::ffff:192.0.2.1]:443        | 64  | 192.0.2.1
			[2001:db8::1                  | 64  | [2001:db8::1
			unknown                       | 64  | unknown
			unknown:443                   | 64  | unknown
			_hidden                       | 64  | _hidden
			_hidden:_443                  | 64  | _hidden
			zz:1                          | 64  | zz
			zz:1:2                        | 64  | zz:1:2
			.1::2                         | 64  | .1::2
			2001:db8::1::2                | 64  | 2001:db8::1::2
			2001:db8:1:2:3:4:5:6:4711     | 64  | 2001:db8:1:2:0:0:0:0/64
			[2001:db8:1:2:3:4:5:6:4711]   | 64  | 2001:db8:1:2:0:0:0:0/64
			[203.0.113.7:4711]            | 64  | 203.0.113.7
			[203.0.113.7]:4711            | 64  | 203.0.113.7
			[203.0.113.7]                 | 64  | 203.0.113.7
			"203.0.113.7:4711"            | 64  | 203.0.113.7
			["203.0.113.7:4711"]          | 64  | 203.0.113.7
			"[2001:db8:1:2::5]:4711"      | 64  | 2001:db8:1:2:0:0:0:0/64
			["[2001:db8:1:2::5]:4711"]    | 64  | 2001:db8:1:2:0:0:0:0/64
			[[2001:db8:1:2::5]:4711]      | 64  | 2001:db8:1:2:0:0:0:0/64
			[2001:db8:1:2::5%eth0]:_port  | 64  | 2001:db8:1:2:0:0:0:0/64
			::ffff:203.0.113.7:4711       | 64  | 203.0.113.7
			[::ffff:203.0.113.7:4711]     | 64  | 203.0.113.7
			[unknown:4711]                | 64  | unknown
			[_hidden:_4711]               | 64  | _hidden
			[[[203.0.113.7                | 64  | [[[203.0.113.7
			[]                            | 64  | ''
			[                             | 64  | [
			:                             | 64  | :
			:443                          | 64  | :443
			[]:443                        | 64  | ''
			""")
	void isTheNetworkOfTheAddress(String address, int prefix, String counted) {
		assertThat(ClientAddress.of(address, prefix)).isEqualTo(counted);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			64:ff9b::203.0.113.7          | 203.0.113.7
			64:ff9b::cb00:7107            | 203.0.113.7
			[64:ff9b::cb00:7107]:4711     | 203.0.113.7
			64:ff9b:0:0:1::cb00:7107      | 64:ff9b:0:0:0:0:0:0/64
			64:ff9b:1::203.0.113.7        | 203.0.113.7
			64:ff9b:1:2:3:4:cb00:7107     | 203.0.113.7
			64:ff9b:1:cb00:71:700::       | 203.0.113.7
			64:ff9b:1:aacb:0:7107::       | 203.0.113.7
			64:ff9b:1:aabb:cb:71:700::    | 203.0.113.7
			64:ff9b:1:aabb:cb:71:700:0    | 203.0.113.7
			64:ff9b:2::203.0.113.7        | 64:ff9b:2:0:0:0:0:0/64
			::ffff:0:203.0.113.7          | 203.0.113.7
			::ffff:0:cb00:7107            | 203.0.113.7
			::fffe:0:cb00:7107            | 0:0:0:0:0:0:0:0/64
			2002:cb00:7107:1:2:3:4:5      | 2002:cb00:7107:1:0:0:0:0/64
			2001:0:cb00:7107:0:1:2:3      | 2001:0:cb00:7107:0:0:0:0/64
			""")
	void isTheIpv4AddressThatATranslatorEmbeds(String address, String counted) {
		assertThat(ClientAddress.of(address, 64)).isEqualTo(counted);
	}

	@Test
	void longTextIsNoAddress() {
		String text = "[".repeat(100_000);
		assertThat(ClientAddress.of(text, 64)).isEqualTo(text);
	}

}
