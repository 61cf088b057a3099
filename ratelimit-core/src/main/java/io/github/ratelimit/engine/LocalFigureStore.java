package io.github.ratelimit.engine;

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
		return this.sums.merge(rule + ':' + candidate, Figures.NONE.with(news), (sum, first) -> sum.with(news));
	}

	synchronized void clear() {
		this.sums.clear();
	}

	synchronized void forget(String rule, String candidate) {
		this.sums.remove(rule + ':' + candidate);
	}

}
