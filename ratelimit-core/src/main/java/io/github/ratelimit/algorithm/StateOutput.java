package io.github.ratelimit.algorithm;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Bytes of a state, for stores that keep it outside this process. Numbers take as many
 * bytes as they need: seven bits in each, the lowest first, and numbers near 0 are short
 * whatever their sign is.
 *
 * @since 0.1.0
 */
public final class StateOutput {

	private static final int SEVEN_BITS = 0x7F;

	private static final int MORE = 0x80;

	private byte[] bytes = new byte[64];

	private int size;

	public void number(long number) {
		long rest = (number << 1) ^ (number >> (Long.SIZE - 1));
		while ((rest & ~SEVEN_BITS) != 0) {
			add((byte) (rest | MORE));
			rest >>>= Byte.SIZE - 1;
		}
		add((byte) rest);
	}

	public void flag(boolean set) {
		number(set ? 1 : 0);
	}

	/** Append bytes and their number. */
	public void bytes(byte[] more) {
		number(more.length);
		room(more.length);
		System.arraycopy(more, 0, this.bytes, this.size, more.length);
		this.size += more.length;
	}

	public void text(String text) {
		bytes(text.getBytes(StandardCharsets.UTF_8));
	}

	private void add(byte next) {
		room(1);
		this.bytes[this.size++] = next;
	}

	private void room(int more) {
		if (this.size + more > this.bytes.length) {
			this.bytes = Arrays.copyOf(this.bytes, Math.max(2 * this.size, this.size + more));
		}
	}

	public byte[] toBytes() {
		return Arrays.copyOf(this.bytes, this.size);
	}

}
