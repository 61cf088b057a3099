package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.RuleSource;
import io.github.ratelimit.notation.Network;
import org.jspecify.annotations.Nullable;

/**
 * Check of the lists of rules whose key is {@code ip}. An IPv6 client is counted by its
 * network there, so a single address or a smaller network would match no key; nor would
 * anything else than an address or a network.
 */
record ListedNetworks(RuleExpressions expressions) {

	private static final String IP = "ip";

	private static final String PEER = "peer";

	void verify(RateLimitRule rule, Consumer<RateLimitConfigurationException> mistakes) {
		Set<String> keys = keys(rule);
		if (keys.contains(IP)) {
			verify(rule, "allow", rule.lists().allow(), keys.size() == 1, mistakes);
			verify(rule, "deny", rule.lists().deny(), keys.size() == 1, mistakes);
		}
	}

	private Set<String> keys(RateLimitRule rule) {
		return Stream.concat(Stream.ofNullable(rule.key()), this.expressions.of(rule.name()).values().stream())
			.map(String::strip)
			.filter((key) -> !key.isEmpty())
			.map((key) -> key.equals(PEER) ? IP : key)
			.collect(Collectors.toSet());
	}

	private void verify(RateLimitRule rule, String list, List<String> entries, boolean addressesOnly,
			Consumer<RateLimitConfigurationException> mistakes) {
		for (int i = 0; i < entries.size(); i++) {
			InvalidAttributeException mistake = mistake(list + '[' + i + ']', entries.get(i), addressesOnly);
			if (mistake != null) {
				mistakes.accept(mistake.at(RuleSource.properties(rule.name()).at(mistake.attribute())));
			}
		}
	}

	private @Nullable InvalidAttributeException mistake(String place, String entry, boolean addressesOnly) {
		Network network = Network.of(entry);
		if (network == null) {
			return !addressesOnly ? null
					: new InvalidAttributeException(place, '"' + entry + '"',
							"the key of the rule is ip, and the entry is neither an address nor a network.",
							"Write an address or a network, \"10.0.0.1\" or \"10.0.0.0/8\" for example.");
		}
		int prefix = this.expressions.properties().web().ipv6Prefix();
		return (!network.isIpv6() || network.prefix() <= prefix) ? null
				: new InvalidAttributeException(place, '"' + entry + '"',
						"the key of the rule is ip, and an IPv6 client is counted by its network of " + prefix
								+ " bits.",
						"Write that network, \"" + network.cut(prefix) + "\", or set ratelimit.web.ipv6-prefix to "
								+ network.prefix() + ".");
	}

}
