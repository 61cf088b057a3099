package io.github.ratelimit.actuate.endpoint;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.springframework.lang.Nullable;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.engine.RuleRegistry;

/** Rule, and perhaps the key, of a request. */
record RulePath(String name, @Nullable String key) {

	/** Read the path of a request whose key can only be in the query. */
	static RulePath of(String[] segments) {
		if (segments.length == 1) {
			return new RulePath(segments[0], null);
		}
		String advice = "";
		if (segments.length > 1) {
			String key = String.join("/", Arrays.asList(segments).subList(1, segments.length));
			advice = " Write the key as a parameter: …/" + segments[0] + "?key="
					+ URLEncoder.encode(key, StandardCharsets.UTF_8) + '.';
		}
		throw new Problem.NothingFound("There is no such path: it has to end with the name of a rule." + advice);
	}

	/**
	 * Read the path of a request for a rule or a key, which is in the path or in the
	 * query.
	 */
	static RulePath of(String[] segments, @Nullable String key) {
		if (segments.length != 2) {
			return new RulePath(of(segments).name(), key);
		}
		if (key != null) {
			throw new InvalidAttributeException("key", '"' + key + '"', "the path has a key already.",
					"Write the key in one of the two places.");
		}
		return new RulePath(segments[0], segments[1]);
	}

	String ruleAlone(String parameter, String value) {
		if (this.key != null) {
			throw new InvalidAttributeException(parameter, value, "candidates are those of the whole rule.",
					"Leave the key out.");
		}
		return this.name;
	}

	/**
	 * Return the key of a request about the override of a key. Without a key, it is not
	 * one about the rule.
	 */
	String overriddenKey() {
		if (this.key == null) {
			throw new InvalidAttributeException("override", "true", "it is for a single key.",
					"Name the key, ?key=acme&override for example, or leave override out to remove the changes of the rule.");
		}
		return this.key;
	}

	static RuleLimiter find(String rule, RuleRegistry registry) {
		try {
			return registry.limiter(rule);
		}
		catch (IllegalArgumentException ex) {
			throw new Problem.NothingFound(String.valueOf(ex.getMessage()));
		}
	}

}
