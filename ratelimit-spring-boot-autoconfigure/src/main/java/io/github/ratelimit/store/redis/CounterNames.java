package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;

import io.github.ratelimit.algorithm.CountType;
import io.github.ratelimit.store.CountSpec;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;

/**
 * Names of the counters of one rule in Redis: {@code ratelimit:{reply:laoqian}:times},
 * and {@code ratelimit:{sms:laoqian}:times:minute} for one of several limits.
 *
 * <p>
 * The braces are Redis's hash tag: all counts of a rule and key share a cluster slot. A
 * name is unambiguous for any key, because names of rules, kinds and limits consist of
 * {@code [a-z0-9-]}: the rule ends at the first colon, kind and limit follow the last
 * {@code }:}. The name contains the kind because each kind stores its state in a form of
 * its own.
 */
final class CounterNames {

	private final String opening;

	private final String[] endings;

	CounterNames(String prefix, RuleCounts counts) {
		this.opening = prefix + ":{" + counts.rule().name() + ':';
		boolean prefetches = counts.rule().prefetch() != null;
		this.endings = new String[counts.size() + (prefetches ? 1 : 0)];
		for (int i = 0; i < counts.size(); i++) {
			this.endings[i] = ending(counts.get(i));
		}
		if (prefetches) {
			this.endings[counts.size()] = "}:" + CountType.PORTIONS.kind();
		}
	}

	private static String ending(CountSpec spec) {
		return "}:" + spec.kind() + ((spec.name() != null) ? ':' + spec.name() : "");
	}

	/**
	 * Return the names of all counts of a key, and of the portions that instances hold.
	 */
	byte[][] of(StoredKey key) {
		String tagged = this.opening + key.textInUtf8();
		byte[][] names = new byte[this.endings.length][];
		for (int i = 0; i < names.length; i++) {
			names[i] = (tagged + this.endings[i]).getBytes(StandardCharsets.UTF_8);
		}
		return names;
	}

	/**
	 * Return how many names a key has.
	 */
	int size() {
		return this.endings.length;
	}

	/**
	 * Return the name of the first count of a key.
	 */
	byte[] first(StoredKey key) {
		return (this.opening + key.textInUtf8() + this.endings[0]).getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Return the slot of a cluster that the counts of a key share.
	 */
	int slot(StoredKey key) {
		return ClusterSlotHashUtil.calculateSlot(first(key));
	}

}
