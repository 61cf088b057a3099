package io.github.ratelimit.example;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The program of docs/without-spring-boot.md, which needs the core alone.
 */
class SmsTests {

	private final Sms sms = new Sms();

	@Test
	void sendsOneMessagePerMinuteAndPhone() {
		assertThat(this.sms.send("+86 138")).isTrue();
		assertThat(this.sms.send("+86 138")).isFalse();
		assertThat(this.sms.send("+86 139")).isTrue();
	}

}
