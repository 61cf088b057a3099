package io.github.ratelimit.store.jdbc;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleValue;
import io.github.ratelimit.store.StoredKey;

/** Primary keys of all rows, behind a common prefix. Long parts become hashes. */
final class RowNames {

	private final String prefix;

	private final RuleValue<String> rules = new RuleValue<>((counts) -> named(counts.counters()));

	RowNames(String prefix) {
		this.prefix = prefix;
	}

	private String named(String name) {
		return StoredKey.textOf(this.prefix + ':' + name);
	}

	/** Return the key of a row that counts nothing. No rule has such a name. */
	RowKey shared(String name, String key) {
		return new RowKey(named(' ' + name), StoredKey.of(key).textInUtf8());
	}

	String of(RuleCounts counts) {
		return this.rules.get(counts);
	}

	RowKey of(Demand demand) {
		return new RowKey(of(demand.counts()), demand.key().textInUtf8());
	}

}
