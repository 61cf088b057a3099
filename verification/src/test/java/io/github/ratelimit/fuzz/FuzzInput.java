package io.github.ratelimit.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.RateLimitConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bytes of a fuzzer, read from the beginning.
 */
public final class FuzzInput {

	private final byte[] bytes;

	private int next;

	public FuzzInput(byte[] bytes) {
		this.bytes = bytes;
	}

	/**
	 * Read a number.
	 * @return 0 or more, and less than {@code end}; 0 behind the last byte
	 */
	public int below(int end) {
		return (this.next < this.bytes.length) ? (this.bytes[this.next++] & 0xFF) % end : 0;
	}

	/**
	 * Read a number of eight bytes, of fewer at the end.
	 */
	public long number() {
		long number = 0;
		for (int i = 0; i < Long.BYTES && this.next < this.bytes.length; i++) {
			number = number << Byte.SIZE | this.bytes[this.next++] & 0xFF;
		}
		return number;
	}

	/**
	 * Read a line.
	 * @return {@code null} behind the last one
	 */
	public @Nullable String line() {
		if (this.next >= this.bytes.length) {
			return null;
		}
		int end = this.next;
		while (end < this.bytes.length && this.bytes[end] != '\n') {
			end++;
		}
		String line = new String(this.bytes, this.next, end - this.next, StandardCharsets.UTF_8);
		this.next = end + 1;
		return line;
	}

	/**
	 * Read all bytes that are left.
	 */
	public byte[] rest() {
		byte[] rest = Arrays.copyOfRange(this.bytes, Math.min(this.next, this.bytes.length), this.bytes.length);
		this.next = this.bytes.length;
		return rest;
	}

	/**
	 * Read all bytes that are left as characters of two bytes, so that unpaired
	 * surrogates are among them.
	 */
	public String characters() {
		byte[] rest = rest();
		char[] characters = new char[rest.length / 2];
		for (int i = 0; i < characters.length; i++) {
			characters[i] = (char) (rest[2 * i] << Byte.SIZE | rest[2 * i + 1] & 0xFF);
		}
		return new String(characters);
	}

	/**
	 * Read all bytes that are left as UTF-8.
	 */
	public String text() {
		return new String(rest(), StandardCharsets.UTF_8);
	}

	/**
	 * Verify that a refusal says what to write.
	 */
	public static void assertUseful(RateLimitConfigurationException refusal) {
		assertThat(refusal.description()).as("description").isNotBlank();
		assertThat(refusal.action()).as("action").isNotBlank();
	}

}
