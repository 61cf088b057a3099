package io.github.ratelimit.fuzz;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Random changes of inputs, for runs without a fuzzer.
 */
final class Mutations {

	private static final byte[] EXTREMES = { 0, 1, ' ', '-', '.', ':', '0', '9', '"', '\\', 0x7F, (byte) 0x80,
			(byte) 0xFE, (byte) 0xFF };

	private final List<byte[]> inputs;

	private final Random random;

	Mutations(List<byte[]> inputs, Random random) {
		this.inputs = inputs;
		this.random = random;
	}

	byte[] next() {
		byte[] next = any();
		for (int i = this.random.nextInt(4); i >= 0; i--) {
			next = changed(next);
		}
		return next;
	}

	private byte[] any() {
		return this.inputs.get(this.random.nextInt(this.inputs.size())).clone();
	}

	private byte[] changed(byte[] input) {
		int from = this.random.nextInt(input.length + 1);
		int to = Math.min(input.length, from + this.random.nextInt(8));
		return switch (this.random.nextInt(5)) {
			case 0 ->
				joined(input, from, new byte[] { (byte) this.random.nextInt(256) }, Math.min(input.length, from + 1));
			case 1 -> joined(input, from, new byte[] { EXTREMES[this.random.nextInt(EXTREMES.length)] },
					Math.min(input.length, from + this.random.nextInt(2)));
			case 2 -> joined(input, from, new byte[0], to);
			case 3 -> joined(input, to, Arrays.copyOfRange(input, from, to), to);
			default -> {
				byte[] other = any();
				yield joined(input, from,
						Arrays.copyOfRange(other, this.random.nextInt(other.length + 1), other.length), input.length);
			}
		};
	}

	/**
	 * Replace the bytes from one index to another.
	 */
	private static byte[] joined(byte[] input, int from, byte[] inserted, int to) {
		byte[] joined = Arrays.copyOf(input, from + inserted.length + input.length - to);
		System.arraycopy(inserted, 0, joined, from, inserted.length);
		System.arraycopy(input, to, joined, from + inserted.length, input.length - to);
		return joined;
	}

}
