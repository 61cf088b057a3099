package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.actuate.endpoint.KeyExpressions;
import io.github.ratelimit.autoconfigure.RateLimitProperties.RuleEntry;
import io.github.ratelimit.interceptor.LimitedMethodSource;
import io.github.ratelimit.interceptor.RateLimitOperation;
import io.github.ratelimit.notation.KebabCase;
import io.github.ratelimit.web.HeaderFormat;
import io.github.ratelimit.web.LimitHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Expressions of rules, those of annotated methods and those of incoming and outgoing
 * requests, as the endpoint shows them.
 *
 * @param inForce the formats of the headers, if responses have them
 */
record RuleExpressions(LimitedMethodSource methods, RateLimitProperties properties,
		@Nullable LimitHeaders inForce) implements KeyExpressions {

	RuleExpressions(LimitedMethodSource methods, RateLimitProperties properties) {
		this(methods, properties, null);
	}

	@Override
	public Map<String, String> of(String rule) {
		Map<String, String> keys = new TreeMap<>();
		for (RateLimitOperation operation : this.methods.operations(rule)) {
			keys.put(operation.location(), operation.keyText());
		}
		forEachEntry(rule, (place, entry) -> keys.put(place, Objects.toString(entry.key(), "")));
		return keys;
	}

	@Override
	public Map<String, Map<String, String>> ends(String rule) {
		Map<String, Map<String, String>> ends = ofMethods(rule, RateLimitOperation::ends);
		forEachEntry(rule, (place, entry) -> {
			if (entry.unless() != null) {
				ends.put(place, Map.of("unless", entry.unless()));
			}
		});
		return ends;
	}

	@Override
	public Map<String, Map<String, String>> selections(String rule) {
		return ofMethods(rule, RateLimitOperation::selections);
	}

	private Map<String, Map<String, String>> ofMethods(String rule,
			Function<RateLimitOperation, Map<String, String>> texts) {
		Map<String, Map<String, String>> all = new TreeMap<>();
		for (RateLimitOperation operation : this.methods.operations(rule)) {
			if (!texts.apply(operation).isEmpty()) {
				all.put(operation.location(), texts.apply(operation));
			}
		}
		return all;
	}

	@Override
	public @Nullable Headers headers(String rule) {
		if (this.inForce == null) {
			return null;
		}
		Set<HeaderFormat> formats = this.inForce.of(rule);
		return new Headers(
				(formats.isEmpty() ? Set.of(HeaderFormat.NONE) : formats).stream().map(KebabCase::of).toList(),
				this.inForce.areOwn(rule) ? "ratelimit.rules." + rule + ".headers" : "ratelimit.web.headers");
	}

	/**
	 * Verify that the expressions of a rule can be parsed even if nothing uses it yet.
	 */
	void verifyUnused(RateLimitRule rule, Mistakes mistakes) {
		verifyUnused(rule, "key", rule.key(), mistakes);
		verifyUnused(rule, "plan", rule.plan(), mistakes);
		verifyUnused(rule, "priority", rule.priority(), mistakes);
		verifyUnused(rule, "zone", rule.zone(), mistakes);
		verifyUnused(rule, "unless", rule.unless(), mistakes);
		verifyUnused(rule, "settle", rule.settle(), mistakes);
	}

	private void verifyUnused(RateLimitRule rule, String attribute, @Nullable String expression, Mistakes mistakes) {
		if (expression != null && !expression.isBlank() && of(rule.name()).isEmpty()) {
			mistakes.attempt(() -> RateLimitOperation.verifySyntax(rule.name(), attribute, expression));
		}
	}

	private void forEachEntry(String rule, BiConsumer<String, RuleEntry> action) {
		forEach(rule, "ratelimit.web.requests", this.properties.web().requests(), action);
		forEach(rule, "ratelimit.client.requests", this.properties.client().requests(), action);
		forEach(rule, "ratelimit.grpc.calls", this.properties.grpc().calls(), action);
	}

	private static void forEach(String rule, String list, List<? extends RuleEntry> entries,
			BiConsumer<String, RuleEntry> action) {
		for (int i = 0; i < entries.size(); i++) {
			if (rule.equals(entries.get(i).rule())) {
				action.accept(list + '[' + i + ']', entries.get(i));
			}
		}
	}

}
