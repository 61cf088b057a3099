package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.engine.RuleDefinition;
import io.github.ratelimit.engine.RuleRegistry;

import org.springframework.core.annotation.MergedAnnotation;

/**
 * Rules of annotated methods that are announced before any method is compiled, so that
 * the order of methods does not matter. Compilation reports the mistakes.
 */
final class AnnouncedRules {

	private final RateLimitedFinder finder;

	private final RateLimitedReader reader;

	private final RuleRegistry registry;

	AnnouncedRules(RateLimitedFinder finder, RateLimitedReader reader, RuleRegistry registry) {
		this.finder = finder;
		this.reader = reader;
		this.registry = registry;
	}

	/**
	 * Announce the rules of a method.
	 * @param method the method as called
	 * @param targetClass the class of the object it is called on
	 */
	void announce(Method method, Class<?> targetClass) {
		for (RuleDefinition definition : read(this.finder.find(method, targetClass))) {
			this.registry.announce(definition);
		}
	}

	/**
	 * Note the rules of a method that no proxy can limit.
	 */
	void announceUnreachable(Method method) {
		for (RuleDefinition definition : read(RateLimitedFinder.writtenOn(method))) {
			this.registry.name(definition.name());
		}
	}

	private List<RuleDefinition> read(List<MergedAnnotation<RateLimited>> annotations) {
		List<RuleDefinition> definitions = new ArrayList<>();
		for (MergedAnnotation<RateLimited> annotation : annotations) {
			try {
				definitions.add(this.reader.read(annotation));
			}
			catch (RateLimitConfigurationException ex) {
				// reported by compilation
			}
		}
		return definitions;
	}

}
