package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.KeyLists;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.RuleSource;
import io.github.ratelimit.interceptor.LimitedMethodSource;
import io.github.ratelimit.notation.Network;

/**
 * Check of the networks on the lists of rules whose key is {@code ip}. An IPv6 client is
 * counted by its network there, so a single address or a smaller network would match no
 * key.
 */
final class ListedNetworks {

	private static final String IP = "ip";

	private final LimitedMethodSource methods;

	private final RateLimitProperties.Web web;

	ListedNetworks(LimitedMethodSource methods, RateLimitProperties.Web web) {
		this.methods = methods;
		this.web = web;
	}

	/**
	 * Check the lists of rules.
	 * @param rules the rules
	 * @param mistakes receives invalid entries
	 */
	void verify(Iterable<RateLimitRule> rules, Consumer<RateLimitConfigurationException> mistakes) {
		for (RateLimitRule rule : rules) {
			if (rule.lists() != KeyLists.NONE && keys(rule).anyMatch(IP::equals)) {
				verify(rule, "allow", rule.lists().allow(), mistakes);
				verify(rule, "deny", rule.lists().deny(), mistakes);
			}
		}
	}

	private Stream<String> keys(RateLimitRule rule) {
		Map<String, String> ofMethods = this.methods.keys(rule.name());
		Stream<String> ofRequests = this.web.requests()
			.stream()
			.filter((request) -> rule.name().equals(request.rule()))
			.map((request) -> Objects.toString(request.key(), ""));
		return Stream.of(Stream.of(Objects.toString(rule.key(), "")), ofMethods.values().stream(), ofRequests)
			.flatMap((keys) -> keys)
			.map(String::strip);
	}

	private void verify(RateLimitRule rule, String list, List<String> entries,
			Consumer<RateLimitConfigurationException> mistakes) {
		for (int i = 0; i < entries.size(); i++) {
			Network network = Network.of(entries.get(i));
			if (network != null && network.isIpv6() && network.prefix() > this.web.ipv6Prefix()) {
				String place = list + '[' + i + ']';
				mistakes.accept(new InvalidAttributeException(place, '"' + entries.get(i) + '"',
						"the key of the rule is ip, and an IPv6 client is counted by its network of "
								+ this.web.ipv6Prefix() + " bits.",
						"Write that network, \"" + network.cut(this.web.ipv6Prefix())
								+ "\", or set ratelimit.web.ipv6-prefix to " + network.prefix() + ".")
					.at(RuleSource.properties(rule.name()).at(place)));
			}
		}
	}

}
