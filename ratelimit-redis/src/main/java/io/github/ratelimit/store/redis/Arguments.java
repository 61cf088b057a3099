package io.github.ratelimit.store.redis;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.github.ratelimit.algorithm.CountType;
import org.jspecify.annotations.Nullable;

/**
 * Keys and arguments of a script, as {@code prelude.lua} and {@code calls.lua} describe
 * them. The counts of equal calls are sent once. Consecutive equal calls of the same keys
 * share a row.
 */
final class Arguments {

	private static final int MOST_IN_A_ROW = 0xFFFE;

	private final long now;

	private final List<byte[][]> keys = new ArrayList<>();

	/**
	 * Positions of the counts of each different call. A tree, because callers may choose
	 * costs and so could make hash codes of calls collide.
	 */
	private final Map<EncodedCall, Integer> positions = new TreeMap<>();

	private final List<EncodedCall> different = new ArrayList<>();

	private final Set<CountType> algorithms = EnumSet.noneOf(CountType.class);

	private final ByteArrayOutputStream calls = new ByteArrayOutputStream();

	private @Nullable EncodedCall last;

	/** The type whose lean script may decide all calls. */
	private @Nullable CountType lean;

	private byte[][] lastKeys = new byte[0][];

	private int lastPosition = -1;

	private int inARow;

	Arguments(long now) {
		this.now = now;
	}

	Arguments call(EncodedCall call, byte[][] keys) {
		int position = (call == this.last) ? this.lastPosition : positionOf(call);
		if (position != this.lastPosition || this.inARow == MOST_IN_A_ROW || !Arrays.deepEquals(keys, this.lastKeys)) {
			endRow();
			this.last = call;
			this.lastPosition = position;
			this.lastKeys = keys;
			this.keys.add(keys);
		}
		this.inARow++;
		return this;
	}

	private int positionOf(EncodedCall call) {
		this.lean = (this.different.isEmpty() || this.lean == call.lean()) ? call.lean() : null;
		Integer known = this.positions.putIfAbsent(call, this.positions.size());
		if (known != null) {
			return known;
		}
		this.algorithms.addAll(call.algorithms());
		this.different.add(call);
		return this.positions.size() - 1;
	}

	private void endRow() {
		if (this.inARow > 0) {
			int position = this.lastPosition + 1;
			this.calls.writeBytes(new byte[] { (byte) (position >>> 8), (byte) position, (byte) (this.inARow >>> 8),
					(byte) this.inARow });
			this.inARow = 0;
		}
	}

	CompletableFuture<byte[]> run(ScriptRunner runner, CountingScripts scripts) {
		return runner.run(callOf(scripts, (late) -> {
		}, true));
	}

	CompletableFuture<byte[]> runEventually(ScriptRunner runner, CountingScripts scripts) {
		return runner.run(callOf(scripts, (late) -> {
		}, false));
	}

	ScriptCall callOf(CountingScripts scripts, Consumer<byte[]> late, boolean isTimed) {
		endRow();
		Script lean = (this.lean != null) ? scripts.lean(this.lean) : null;
		ByteArrayOutputStream counts = new ByteArrayOutputStream();
		for (EncodedCall call : this.different) {
			if (lean != null) {
				call.writeLeanTo(counts);
			}
			else {
				call.writeTo(counts);
			}
		}
		byte[][] values = (this.now != 0)
				? new byte[][] { this.calls.toByteArray(), counts.toByteArray(), number(this.now) }
				: new byte[][] { this.calls.toByteArray(), counts.toByteArray() };
		return (lean != null) ? new ScriptCall(lean, firstKeysFirst(), values, late, isTimed)
				: new ScriptCall(scripts.of(this.algorithms),
						this.keys.stream().flatMap(Arrays::stream).toArray(byte[][]::new), values, late, isTimed);
	}

	/**
	 * Return the keys as lean scripts read them: the first one of each row, then all
	 * others.
	 */
	private byte[][] firstKeysFirst() {
		List<byte[]> all = new ArrayList<>();
		for (byte[][] ofRow : this.keys) {
			all.add(ofRow[0]);
		}
		for (byte[][] ofRow : this.keys) {
			all.addAll(Arrays.asList(ofRow).subList(1, ofRow.length));
		}
		return all.toArray(byte[][]::new);
	}

	static byte[] number(long number) {
		return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
	}

}
