package io.github.ratelimit.algorithm;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import io.github.ratelimit.Limit;

/**
 * Reader of the bytes of a {@link StateOutput}. Bytes that it did not write in this form
 * are refused with an {@link IllegalStateException}.
 *
 * @since 0.1.0
 */
public final class StateInput {

	/**
	 * The latest time, some two thousand years from now, and the earliest one as far
	 * before 1970. No sum of two times overflows.
	 */
	private static final long LATEST = 1L << 56;

	static final long LONGEST = Limit.MAX_PERIOD.toNanos() / 1000;

	private static final long MOST_UNITS = Limit.MAX_UNITS + Count.MOST_OWED;

	private final byte[] bytes;

	private int next;

	/** Create a reader of bytes, which must not change. */
	public StateInput(byte[] bytes) {
		this.bytes = bytes;
	}

	public long number() {
		long read = 0;
		for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE - 1) {
			if (this.next == this.bytes.length) {
				throw new IllegalStateException("The state ends within a number");
			}
			byte part = this.bytes[this.next++];
			read |= (part & 0x7FL) << shift;
			if (part >= 0) {
				return (read >>> 1) ^ -(read & 1);
			}
		}
		throw new IllegalStateException("A number of the state has more than 64 bits");
	}

	/**
	 * Read a number of a range. A state with another one would decide calls that no limit
	 * admits, or compute for minutes.
	 */
	public long number(long least, long most) {
		long read = number();
		if (read < least || read > most) {
			throw new IllegalStateException(
					"A number of the state is " + read + ", but has to be between " + least + " and " + most);
		}
		return read;
	}

	/** Read a time in microseconds since 1970, perhaps negative. */
	public long time() {
		return number(-LATEST, LATEST);
	}

	/** Read a time as the distance from an earlier one. */
	public long timeFrom(long earliest) {
		return earliest + number(0, LATEST - earliest);
	}

	/** Read a period in microseconds, 1 or more and no more than a limit may have. */
	public long period() {
		return number(1, LONGEST);
	}

	/** Read a number of units, 0 or more and no more than a count holds. */
	public long units() {
		return number(0, MOST_UNITS);
	}

	/** Refuse numbers that do not belong together. */
	public void check(boolean isPossible) {
		if (!isPossible) {
			throw new IllegalStateException("The numbers of the state contradict each other");
		}
	}

	/** Read how many of something follow, no more than there are bytes left. */
	public int count() {
		long read = number();
		if (read < 0 || read > this.bytes.length - this.next) {
			throw new IllegalStateException("The state ends too early");
		}
		return (int) read;
	}

	public boolean flag() {
		return number() == 1;
	}

	public byte[] bytes() {
		int length = count();
		this.next += length;
		return Arrays.copyOfRange(this.bytes, this.next - length, this.next);
	}

	public String text() {
		return new String(bytes(), StandardCharsets.UTF_8);
	}

	/** Read the number of the form in which the following bytes are written. */
	public void form(int known) {
		long read = number();
		if (read != known) {
			throw new IllegalStateException(
					"The state has form " + read + ", but this version reads form " + known + " only");
		}
	}

	/** Refuse bytes that were not read. */
	public void end() {
		if (this.next != this.bytes.length) {
			throw new IllegalStateException(
					"The state has " + (this.bytes.length - this.next) + " bytes more than it should have");
		}
	}

}
