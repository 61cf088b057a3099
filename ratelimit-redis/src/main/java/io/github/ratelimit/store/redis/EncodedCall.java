package io.github.ratelimit.store.redis;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.github.ratelimit.algorithm.CountType;
import org.jspecify.annotations.Nullable;

/**
 * Call encoded for scripts, without its keys: the counts of all its rules. Calls that
 * differ only in their keys are equal.
 *
 * @param algorithms the algorithms that a script needs
 * @param size the number of counts
 * @param bytes the counts, see {@code calls.lua}
 * @param entries the number of log entries that a script may have to rewrite
 * @param lean the type of its first count, if a lean script may decide it by that alone;
 * {@code null} if none may
 */
record EncodedCall(Set<CountType> algorithms, int size, byte[] bytes, long entries,
		@Nullable CountType lean) implements Comparable<EncodedCall> {

	/** Encode a number as scripts read it. */
	static void sevenBytes(ByteBuffer encoded, long number) {
		encoded.put((byte) (number >>> 48)).putShort((short) (number >>> 32)).putInt((int) number);
	}

	/** Join calls under single rules to one call under all of them. */
	static EncodedCall joined(List<EncodedCall> calls) {
		Set<CountType> algorithms = EnumSet.noneOf(CountType.class);
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		int size = 0;
		long entries = 0;
		for (EncodedCall call : calls) {
			algorithms.addAll(call.algorithms);
			bytes.writeBytes(call.bytes);
			size += call.size;
			entries += call.entries;
		}
		return new EncodedCall(algorithms, size, bytes.toByteArray(), entries, null);
	}

	EncodedCall notLean() {
		return new EncodedCall(this.algorithms, this.size, this.bytes, this.entries, null);
	}

	/**
	 * Return the same call, sent together with those to some candidates, which count like
	 * entries.
	 */
	EncodedCall tried(int candidates) {
		return new EncodedCall(this.algorithms, this.size, this.bytes, this.entries + candidates, this.lean);
	}

	/**
	 * Return whether the call has the name of the latest reset of its key, behind those
	 * of its counts.
	 */
	boolean hasReset() {
		return this.algorithms.contains(CountType.RESETS);
	}

	void writeTo(ByteArrayOutputStream argument) {
		argument.write(this.size >>> 8);
		argument.write(this.size);
		argument.writeBytes(this.bytes);
	}

	/**
	 * Write the call as lean scripts read it, its first count alone, with the number of
	 * its keys.
	 */
	void writeLeanTo(ByteArrayOutputStream argument) {
		argument.write(0);
		argument.write(this.size);
		argument.write(this.bytes, 0, EncodedCounts.LEAN);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof EncodedCall that && Arrays.equals(this.bytes, that.bytes);
	}

	@Override
	public int hashCode() {
		return Arrays.hashCode(this.bytes);
	}

	@Override
	public int compareTo(EncodedCall other) {
		return Arrays.compare(this.bytes, other.bytes);
	}

}
