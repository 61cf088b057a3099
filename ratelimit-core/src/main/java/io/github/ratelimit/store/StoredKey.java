package io.github.ratelimit.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;

/**
 * Key in the form in which all stores hold it: at most 128 bytes. A longer key is
 * replaced by its SHA-256 hash. So is a key that looks like such a hash, to avoid
 * collisions: different keys stay different.
 *
 * <p>
 * It is created once per call, as part of the {@link Demand}, and used wherever the call
 * is counted. To hash a hash would make it another key; the type prevents that. A key of
 * up to 42 characters always fits and is shorter than a hash, so its bytes are not read.
 *
 * <p>
 * Hash codes are seeded at random in each process. Callers who choose keys cannot provoke
 * collisions, as they can with strings.
 *
 * @since 0.1.0
 */
public final class StoredKey implements Comparable<StoredKey> {

	private static final int MAX_BYTES = 128;

	private static final int MAX_BYTES_PER_CHAR = 3;

	private static final String HASHED = "sha256:";

	/**
	 * Byte that no text in UTF-8 contains.
	 */
	private static final byte NOT_UTF_8 = (byte) 0xFF;

	/**
	 * Base of the polynomial that is the hash, at random and odd.
	 */
	private static final long BASE = ThreadLocalRandom.current().nextLong() | 1;

	private static final long BASE_2 = BASE * BASE;

	private static final long BASE_3 = BASE_2 * BASE;

	private static final long BASE_4 = BASE_2 * BASE_2;

	/**
	 * Odd multiplier of splitmix64, which moves the low bits of the hash up.
	 */
	private static final long MIX = 0xBF58476D1CE4E5B9L;

	private final String text;

	private int hashCode;

	private StoredKey(String text) {
		this.text = text;
	}

	/**
	 * {@return the stored form of a key: the key itself, or its hash}
	 * @param key the key, of any length
	 */
	public static StoredKey of(String key) {
		return new StoredKey(textOf(key));
	}

	/**
	 * {@return the text of the stored form of a key: the key itself, or its hash}
	 * @param key the key, of any length
	 */
	public static String textOf(String key) {
		return (key.length() * MAX_BYTES_PER_CHAR <= MAX_BYTES || fits(key)) ? key : hash(key);
	}

	/**
	 * {@return a key that was stored before}
	 * @param text the {@link #text()} of a stored key
	 */
	public static StoredKey known(String text) {
		return new StoredKey(text);
	}

	/**
	 * {@return the text of the stored form: the key, or {@code sha256:} and its hash}
	 */
	public String text() {
		return this.text;
	}

	/**
	 * Return the text for stores that keep it as UTF-8. A key with an unpaired surrogate,
	 * which UTF-8 cannot encode, is replaced by its hash.
	 * @return a well-formed text
	 */
	public String textInUtf8() {
		return isWellFormed(this.text) ? this.text : hash(this.text);
	}

	private static boolean fits(String key) {
		return key.length() <= MAX_BYTES && !key.startsWith(HASHED)
				&& key.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES;
	}

	/**
	 * Hash the text as UTF-8 or, if it has an unpaired surrogate, as its characters.
	 */
	private static String hash(String key) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			if (isWellFormed(key)) {
				digest.update(key.getBytes(StandardCharsets.UTF_8));
			}
			else {
				digest.update(NOT_UTF_8);
				for (int i = 0; i < key.length(); i++) {
					digest.update((byte) (key.charAt(i) >>> Byte.SIZE));
					digest.update((byte) key.charAt(i));
				}
			}
			return HASHED + HexFormat.of().formatHex(digest.digest());
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * {@return whether a text can be encoded as UTF-8: it has no unpaired surrogate}
	 * @param text the text
	 */
	public static boolean isWellFormed(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (Character.isSurrogate(text.charAt(i))) {
				boolean isPair = i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
				if (!isPair) {
					return false;
				}
				i++;
			}
		}
		return true;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof StoredKey that && this.text.equals(that.text);
	}

	@Override
	public int hashCode() {
		if (this.hashCode == 0) {
			this.hashCode = (int) (fingerprint() >>> Integer.SIZE);
		}
		return this.hashCode;
	}

	/**
	 * Compute a hash of 64 bits, another one in each process: four characters at once, so
	 * that each step waits for one multiplication only. It begins with 1, so that zeros
	 * at the beginning count.
	 * @return equal for equal keys, and different for others but for a chance of one in
	 * billions
	 */
	public long fingerprint() {
		long hash = 1;
		int i = 0;
		for (; i + 3 < this.text.length(); i += 4) {
			hash = hash * BASE_4 + this.text.charAt(i) * BASE_3 + this.text.charAt(i + 1) * BASE_2
					+ this.text.charAt(i + 2) * BASE + this.text.charAt(i + 3);
		}
		for (; i < this.text.length(); i++) {
			hash = hash * BASE + this.text.charAt(i);
		}
		return hash * MIX;
	}

	@Override
	public int compareTo(StoredKey other) {
		return this.text.compareTo(other.text);
	}

	@Override
	public String toString() {
		return this.text;
	}

}
