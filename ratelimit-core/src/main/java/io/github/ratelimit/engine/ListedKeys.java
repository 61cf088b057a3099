package io.github.ratelimit.engine;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.ratelimit.KeyLists;
import io.github.ratelimit.notation.Network;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleValue;
import io.github.ratelimit.store.StoredKey;
import org.jspecify.annotations.Nullable;

/**
 * Lists of a rule, prepared for calls. Networks are looked up by the length of their
 * prefix, so a call takes no longer with many of them.
 */
final class ListedKeys {

	private static final RuleValue<ListedKeys> OF_RULE = new RuleValue<>(
			(counts) -> new ListedKeys(counts.rule().lists()));

	private final Entries allowed;

	private final Entries denied;

	private ListedKeys(KeyLists lists) {
		this.allowed = new Entries(lists.allow());
		this.denied = new Entries(lists.deny());
	}

	/** Find the key of a call on the lists of its rule. A key on both lists is denied. */
	static @Nullable Verdict find(Demand demand) {
		return (demand.rule().lists() == KeyLists.NONE) ? null : lookUp(demand);
	}

	private static @Nullable Verdict lookUp(Demand demand) {
		ListedKeys lists = OF_RULE.get(demand.counts());
		if (lists.denied.contain(demand.key())) {
			return Verdict.DENY;
		}
		return lists.allowed.contain(demand.key()) ? Verdict.PASS : null;
	}

	private static final class Entries {

		private final Set<StoredKey> keys = new HashSet<>();

		private final Map<Integer, Set<Network>> networks = new HashMap<>();

		Entries(List<String> entries) {
			for (String entry : entries) {
				this.keys.add(StoredKey.of(entry));
				Network network = Network.of(entry);
				if (network != null) {
					this.networks.computeIfAbsent(network.prefix(), (prefix) -> new HashSet<>()).add(network);
				}
			}
		}

		boolean contain(StoredKey key) {
			if (this.keys.contains(key)) {
				return true;
			}
			Network address = this.networks.isEmpty() ? null : Network.of(key.text());
			return address != null && isClient(address, key) && holds(address);
		}

		/** An IPv6 client is counted by its network, an IPv4 client by its address. */
		private static boolean isClient(Network address, StoredKey key) {
			return address.isIpv6() || key.text().indexOf('/') < 0;
		}

		private boolean holds(Network address) {
			for (Map.Entry<Integer, Set<Network>> each : this.networks.entrySet()) {
				int prefix = each.getKey();
				if (prefix <= address.prefix() && each.getValue().contains(address.cut(prefix))) {
					return true;
				}
			}
			return false;
		}

	}

}
