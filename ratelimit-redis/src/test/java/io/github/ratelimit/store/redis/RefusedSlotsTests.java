package io.github.ratelimit.store.redis;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.StoreException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Slots that Redis refuses to take, to free and to renew, since another program has
 * written to their keys.
 */
class RefusedSlotsTests extends SharedSlots {

	private final RedisProcess redis = RedisUnderTest.process();

	@Test
	void callsThatRedisRefusesAreNotFreed() {
		overwrite(name());
		for (int i = 0; i < 3; i++) {
			assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.one.begin(RULE, this.key))
				.satisfies((failure) -> assertThat(failure.reason()).isEqualTo("wrongtype"));
		}
		int scripts = this.one.scripts();
		this.clock.advance(LEASE);
		assertThat(this.one.scripts()).isEqualTo(scripts);
	}

	@Test
	void callThatGoesOnAlthoughRedisRefusedItLeavesNothing() {
		overwrite(name());
		Demand running = new Demand(RULE, this.key, 1);
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.one.store().acquire(running));
		this.one.store().hold(running);
		this.clock.advance(LEASE);
		this.one.store().free(running);
		assertThatNothingIsLeft();
	}

	@Test
	void slotThatRedisRefusesToFreeIsGivenUp() {
		RuleAnswer call = this.one.begin(RULE, this.key);
		overwrite(name());
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.one.end(call));
		assertThatNothingIsLeft();
	}

	@Test
	void slotThatRedisRefusesToFreeForAWhileIsFreed() {
		RuleAnswer call = this.one.begin(RULE, this.key);
		this.redis.command("RENAME", name(), name() + ":copy");
		overwrite(name());
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.one.end(call));
		this.clock.advance(LEASE);
		this.redis.command("RENAME", name() + ":copy", name());
		assertThat(this.other.remaining(RULE, this.key)).isEqualTo(2);
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.other.remaining(RULE, this.key)).isEqualTo(3);
	}

	@Test
	void instanceDoesNotConnectAnewIfRedisRefusesToRenewItsLease() {
		this.one.begin(RULE, this.key);
		overwrite(this.prefix + ":{leases}:leases");
		this.clock.advance(LEASE);
		assertThat(this.one.connections()).isZero();
	}

	private void overwrite(String key) {
		this.redis.command("SET", key, "of another program");
	}

	private void assertThatNothingIsLeft() {
		this.clock.advance(LEASE.multipliedBy(4).plusSeconds(10));
		int scripts = this.one.scripts();
		this.clock.advance(LEASE.multipliedBy(2));
		assertThat(this.one.scripts()).isEqualTo(scripts);
	}

}
