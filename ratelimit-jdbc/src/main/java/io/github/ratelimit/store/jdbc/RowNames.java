package io.github.ratelimit.store.jdbc;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleValue;
import io.github.ratelimit.store.StoredKey;

/**
 * Primary keys of the rows of all rules.
 */
final class RowNames {

	private final String prefix;

	private final RuleValue<String> rules = new RuleValue<>((counts) -> named(counts.counters()));

	/**
	 * Create a new instance.
	 * @param prefix the prefix of all keys
	 */
	RowNames(String prefix) {
		this.prefix = prefix;
	}

	/**
	 * Return the name of a rule, or of something else, in the table. A long one is
	 * replaced by its hash.
	 */
	String named(String name) {
		return StoredKey.textOf(this.prefix + ':' + name);
	}

	/**
	 * Return the key of a row that counts nothing. No rule has such a name.
	 */
	RowKey shared(String name) {
		return new RowKey(named(' ' + name), "");
	}

	String of(RuleCounts counts) {
		return this.rules.get(counts);
	}

	RowKey of(Demand demand) {
		return new RowKey(of(demand.counts()), demand.key().textInUtf8());
	}

}
