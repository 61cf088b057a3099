package io.github.ratelimit.redis.process;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RespConnection}.
 */
@Tag("in-ci")
@Timeout(60)
class RespConnectionTests {

	@AutoClose
	private static final RedisProcess redis = RedisProcess.start();

	@AutoClose
	private final RespConnection connection = redis.connect(Duration.ofSeconds(5));

	@Test
	void readsEveryKindOfReply() {
		assertThat(this.connection.command("SET", "text", "grüße, 老钱\r\n")).isEqualTo("OK");
		assertThat(this.connection.command("GET", "text")).isEqualTo("grüße, 老钱\r\n");
		assertThat(this.connection.command("SET", "empty", "")).isEqualTo("OK");
		assertThat(this.connection.command("GET", "empty")).isEqualTo("");
		assertThat(this.connection.command("GET", "missing")).isNull();
		assertThat(this.connection.command("PTTL", "missing")).isEqualTo(-2L);
		assertThat(this.connection.command("MGET", "empty", "missing")).isEqualTo(Arrays.asList("", null));
		assertThat(this.connection.command("KEYS", "nothing*")).isEqualTo(List.of());
		assertThat(this.connection.command("EVAL", "return {1, {'two', false}}", "0"))
			.isEqualTo(List.of(1L, Arrays.asList("two", null)));
	}

	@Test
	void throwsErrorReply() {
		this.connection.command("RPUSH", "list", "element");
		assertThatExceptionOfType(RedisErrorReply.class).isThrownBy(() -> this.connection.command("GET", "list"))
			.withMessageStartingWith("WRONGTYPE");
		assertThat(this.connection.command("PING")).isEqualTo("PONG");
	}

	@Test
	void keepsErrorInsideListAsElement() {
		this.connection.command("RPUSH", "list", "element");
		this.connection.command("MULTI");
		this.connection.command("GET", "list");
		this.connection.command("PING");
		assertThat(this.connection.command("EXEC")).asInstanceOf(InstanceOfAssertFactories.LIST)
			.satisfiesExactly((error) -> assertThat(error).isInstanceOf(RedisErrorReply.class),
					(pong) -> assertThat(pong).isEqualTo("PONG"));
	}

}
