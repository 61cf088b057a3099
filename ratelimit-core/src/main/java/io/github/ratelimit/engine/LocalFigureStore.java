package io.github.ratelimit.engine;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

import io.github.ratelimit.store.FigureStore;

/**
 * Sums of the figures of candidates in this process, for stores that count in it.
 */
final class LocalFigureStore implements FigureStore {

	private final Map<String, Figures> sums = new HashMap<>();

	@Override
	public synchronized Figures add(String rule, String candidate, Added before, Figures news) {
		return this.sums.merge(rule + ':' + candidate, grown(new Figures(news.since(), 0, 0, 0, new byte[0]), news),
				(earlier, first) -> grown(earlier, news));
	}

	private static Figures grown(Figures sum, Figures news) {
		byte[] changes = news.keys();
		byte[] keys = (changes.length > 0) ? Arrays.copyOf(sum.keys(), DistinctKeys.REGISTERS) : sum.keys();
		for (int at = 0; at < changes.length; at += 3) {
			int index = (changes[at] & 0xFF) << 8 | changes[at + 1] & 0xFF;
			keys[index] = (byte) Math.max(keys[index], changes[at + 2]);
		}
		return new Figures(Math.min(sum.since(), news.since()), sum.calls() + news.calls(),
				sum.denied() + news.denied(), sum.liveDenied() + news.liveDenied(), keys);
	}

	synchronized void clear() {
		this.sums.clear();
	}

	/**
	 * Forget the figures of a candidate.
	 */
	synchronized void forget(String rule, String candidate) {
		this.sums.remove(rule + ':' + candidate);
	}

}
