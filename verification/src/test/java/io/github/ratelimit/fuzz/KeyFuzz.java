package io.github.ratelimit.fuzz;

import java.nio.charset.StandardCharsets;

import io.github.ratelimit.store.StoredKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two keys. The stored form of each is short, is well-formed UTF-8, and is its own stored
 * form; different keys stay different.
 */
public final class KeyFuzz {

	private static final int LONGEST = 128;

	private KeyFuzz() {
	}

	public static void fuzzerTestOneInput(byte[] input) {
		FuzzInput from = new FuzzInput(input);
		int times = 1 + from.below(16);
		String both = from.characters();
		int half = both.length() / 2;
		String one = both.substring(0, half).repeat(times);
		String other = both.substring(half).repeat(times);
		StoredKey stored = StoredKey.of(one);
		assertStored(one, stored);
		StoredKey storedOther = StoredKey.of(other);
		assertStored(other, storedOther);
		boolean same = one.equals(other);
		assertThat(stored.equals(storedOther)).isEqualTo(same);
		assertThat(stored.compareTo(storedOther) == 0).isEqualTo(same);
		assertThat(stored.fingerprint() == storedOther.fingerprint()).isEqualTo(same);
		assertThat(stored.textInUtf8().equals(storedOther.textInUtf8())).isEqualTo(same);
	}

	private static void assertStored(String key, StoredKey stored) {
		byte[] utf8 = stored.textInUtf8().getBytes(StandardCharsets.UTF_8);
		assertThat(utf8).hasSizeLessThanOrEqualTo(LONGEST);
		assertThat(new String(utf8, StandardCharsets.UTF_8)).isEqualTo(stored.textInUtf8());
		assertThat(StoredKey.isWellFormed(stored.textInUtf8())).isTrue();
		assertThat(StoredKey.textOf(key)).isEqualTo(stored.text());
		assertThat(StoredKey.known(stored.text())).isEqualTo(stored).hasSameHashCodeAs(stored);
		assertThat(stored.text()).satisfiesAnyOf((text) -> assertThat(text).isEqualTo(key),
				(text) -> assertThat(text).matches("sha256:[0-9a-f]{64}"));
	}

}
