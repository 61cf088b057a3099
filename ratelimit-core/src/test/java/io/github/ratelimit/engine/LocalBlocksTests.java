package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.store.StoredKey;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LocalBlocksTests {

	private static final StoredKey KEY = StoredKey.of("acme");

	private final AtomicLong clock = new AtomicLong(1_000);

	private final LocalBlocks blocks = new LocalBlocks();

	@Test
	void blockEndsAndIsNeverShortened() {
		this.blocks.block(KEY, 2_000, 1_000);
		this.blocks.block(KEY, 1_500, 1_000);
		assertThat(combine(null)).isEqualTo(new KeyRuling.Blocked(2_000));
		this.clock.set(1_999);
		assertThat(combine(null)).isNotNull();
		this.clock.set(2_000);
		assertThat(combine(null)).isNull();
		this.blocks.forgetEnded(2_000);
		assertThat(this.blocks.isEmpty()).isTrue();
	}

	@Test
	void laterOfTwoBlocksHoldsAndUnlimitedKeysAreNotBlocked() {
		this.blocks.block(KEY, 2_000, 1_000);
		assertThat(combine(new KeyRuling.Blocked(1_500))).isEqualTo(new KeyRuling.Blocked(2_000));
		assertThat(combine(new KeyRuling.Blocked(3_000))).isEqualTo(new KeyRuling.Blocked(3_000));
		assertThat(combine(KeyRuling.DENIED)).isSameAs(KeyRuling.DENIED);
		assertThat(combine(KeyRuling.EXEMPT)).isSameAs(KeyRuling.EXEMPT);
	}

	@Test
	void sharedBlockReplacesNoLaterOne() {
		this.blocks.block(KEY, 2_000, 1_000);
		this.blocks.forget(KEY, 1_999);
		assertThat(this.blocks.isEmpty()).isFalse();
		this.blocks.forget(KEY, 2_000);
		assertThat(this.blocks.isEmpty()).isTrue();
	}

	@Test
	void forgottenBlocksHoldNoLonger() {
		OverriddenKeys keys = new OverriddenKeys(() -> {
		});
		keys.block("api", "acme", Duration.ofMinutes(2));
		keys.block("other", "", Duration.ofMinutes(2));
		keys.forgetBlocks();
		assertThat(keys.isEmpty()).isTrue();
	}

	@Test
	void numberOfBlocksIsBounded() {
		for (int i = 0; i < LocalBlocks.MOST; i++) {
			assertThat(this.blocks.block(StoredKey.of("k" + i), (i == 0) ? 1_500 : 2_000, 1_000)).isTrue();
		}
		assertThat(this.blocks.block(KEY, 2_000, 1_499)).isFalse();
		assertThat(this.blocks.block(StoredKey.of("k1"), 3_000, 1_499)).isTrue();
		assertThat(this.blocks.block(KEY, 2_000, 1_500)).isTrue();
	}

	private @Nullable KeyRuling combine(@Nullable KeyRuling override) {
		return this.blocks.combine(KEY, override, this.clock::get);
	}

}
