package io.github.ratelimit.web;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Address by which a client is counted.
 */
class ClientAddressTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
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
			2001:db8:1:2:3:4:5:6:7        | 64  | 2001:db8:1:2:3:4:5:6:7
			:                             | 64  | :
			:443                          | 64  | :443
			[]:443                        | 64  | ''
			""")
	void isTheNetworkOfTheAddress(String address, int prefix, String counted) {
		assertThat(ClientAddress.of(address, prefix)).isEqualTo(counted);
	}

}
