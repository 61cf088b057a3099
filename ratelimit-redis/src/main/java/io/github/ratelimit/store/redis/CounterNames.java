package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.algorithm.CountType;
import io.github.ratelimit.store.CountSpec;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;

/**
 * Names of the counters of one rule in Redis: {@code ratelimit:{reply:laoqian}:times},
 * and {@code ratelimit:{sms:laoqian}:times:minute} for one of several limits. Those of a
 * candidate have its name and version before the kind:
 * {@code ratelimit:{reply:laoqian}:candidate:tight-5f3a0b12:times}.
 *
 * <p>
 * The braces are Redis's hash tag: all counts of a rule and key share a hash slot. A name
 * is unambiguous for any key, because names of rules, kinds and limits consist of
 * {@code [a-z0-9-]}: the rule ends at the first colon, kind and limit follow the last
 * {@code }:}. The name contains the kind because each kind stores its state in a form of
 * its own.
 */
final class CounterNames {

	private final byte[] opening;

	private final String candidate;

	private final byte[] reset;

	private final byte[][] endings;

	private final @Nullable UnaryOperator<byte[]> leases;

	CounterNames(String prefix, RuleCounts counts, UnaryOperator<byte[]> leases) {
		this.opening = RedisKeys.utf8(prefix + ":{" + counts.rule().name() + ':');
		String tried = counts.candidateId();
		this.candidate = (tried != null) ? "candidate:" + tried + ':' : "";
		this.reset = ending(CountType.RESETS.kind());
		List<byte[]> all = new ArrayList<>();
		for (int i = 0; i < counts.size(); i++) {
			all.add(ending(counts.get(i)));
		}
		UnaryOperator<byte[]> shared = null;
		for (SideCount each : SideCount.of(counts, 0)) {
			if (each.isShared()) {
				shared = leases;
			}
			else {
				all.add(ending(each.type().kind()));
			}
		}
		this.leases = shared;
		this.endings = all.toArray(byte[][]::new);
	}

	private byte[] ending(CountSpec spec) {
		return ending((spec.name() != null) ? spec.kind() + ':' + spec.name() : spec.kind());
	}

	private byte[] ending(String kind) {
		return RedisKeys.utf8("}:" + this.candidate + kind);
	}

	/** Return the names of all counts of a key, that of leases at the end. */
	byte[][] of(StoredKey key) {
		byte[][] names = names(key, (this.leases != null) ? 1 : 0);
		if (this.leases != null) {
			names[this.endings.length] = this.leases.apply(names[0]);
		}
		return names;
	}

	/** Return the same names, and that of the latest reset of the key. */
	byte[][] withReset(StoredKey key) {
		return withReset(key, of(key));
	}

	/**
	 * Return the names of all that concerns a key alone, that of its latest reset at the
	 * end.
	 */
	byte[][] ofKeyAlone(StoredKey key) {
		return withReset(key, names(key, 0));
	}

	private byte[][] withReset(StoredKey key, byte[][] names) {
		byte[][] all = Arrays.copyOf(names, names.length + 1);
		all[names.length] = name(key, this.reset);
		return all;
	}

	private byte[][] names(StoredKey key, int further) {
		byte[][] names = new byte[this.endings.length + further][];
		for (int i = 0; i < this.endings.length; i++) {
			names[i] = name(key, this.endings[i]);
		}
		return names;
	}

	private byte[] name(StoredKey key, byte[] ending) {
		byte[] text = key.textInUtf8().getBytes(StandardCharsets.UTF_8);
		byte[] name = Arrays.copyOf(this.opening, this.opening.length + text.length + ending.length);
		System.arraycopy(text, 0, name, this.opening.length, text.length);
		System.arraycopy(ending, 0, name, name.length - ending.length, ending.length);
		return name;
	}

	int size() {
		return this.endings.length + ((this.leases != null) ? 1 : 0);
	}

	byte[] first(StoredKey key) {
		return name(key, this.endings[0]);
	}

}
