package io.github.ratelimit.adaptive;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.ratelimit.Adaptive;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;

/**
 * Rules as the load of this node has them at the moment. Signals are read in the
 * background; a call only looks at what that led to.
 *
 * @since 0.1.0
 */
public final class AdaptiveRules implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private final LoadSignals signals;

	private final Sampling sampling;

	private final Map<String, AdaptiveRule> rules = new ConcurrentHashMap<>();

	/**
	 * Create new rules, none yet.
	 * @param signals the application's own signals by name, each made when the first rule
	 * follows it
	 * @param interval how often signals are read
	 */
	public AdaptiveRules(Map<String, Supplier<LoadSignal>> signals, Duration interval) {
		this(new LoadSignals(signals, Memory.ofThisProcess()), new Sampling(interval, PATIENCE));
	}

	AdaptiveRules(LoadSignals signals, Sampling sampling) {
		this.signals = signals;
		this.sampling = sampling;
	}

	/**
	 * Judge whether there is a signal for a limit.
	 * @param limit the limit, adaptive or not
	 * @throws InvalidAttributeException if it follows a signal that there is not
	 */
	public void judge(Limit limit) {
		Adaptive adaptive = limit.adaptive();
		if (adaptive != null) {
			this.signals.find(adaptive);
		}
	}

	/**
	 * Follow the load with a rule, instead of with an earlier one of the same name. A
	 * signal that is new is read at once, so that the first call is judged by it; one
	 * that does not answer within a second is not waited for.
	 * @param rule the rule, adaptive or not
	 * @throws InvalidAttributeException if it follows a signal that there is not
	 */
	public void follow(RateLimitRule rule) {
		if (!rule.isAdaptive()) {
			this.rules.remove(rule.name());
			return;
		}
		rule.limits().forEach((limit) -> judge(rule, limit));
		AdaptiveRule followed = new AdaptiveRule(rule, this.signals);
		followed.loads().distinct().filter((load) -> !load.isKnown()).forEach(this::readFirst);
		followed.adjust();
		this.rules.put(rule.name(), followed);
		followed.adjust();
		this.sampling.repeat(this::readBeside);
	}

	private void judge(RateLimitRule rule, Limit limit) {
		try {
			judge(limit);
		}
		catch (InvalidAttributeException ex) {
			throw ex.at(ex.attribute() + " of \"" + rule.nameOf(limit) + '"');
		}
	}

	private void readFirst(Load load) {
		if (load.begin() && !this.sampling.await(() -> read(load))) {
			load.warnOfSilence();
		}
	}

	/**
	 * The rule to judge a call by.
	 * @param rule the rule as registered
	 * @return the rule with the {@code max} of the moment, or itself if it is not
	 * adaptive; the same object until a {@code max} changes
	 */
	public RateLimitRule now(RateLimitRule rule) {
		if (!rule.isAdaptive()) {
			return rule;
		}
		AdaptiveRule followed = this.rules.get(rule.name());
		boolean wasReplaced = followed == null || !followed.isOf(rule);
		return wasReplaced ? new AdaptiveRule(rule, this.signals).now() : followed.now();
	}

	/**
	 * Read the signals of all rules now, and not just with the next interval. One that is
	 * being read already is not waited for.
	 */
	public void sample() {
		loads().stream().filter(Load::begin).forEach(this::read);
	}

	/**
	 * Each by itself: one may hang.
	 */
	private void readBeside() {
		for (Load load : loads()) {
			if (load.begin()) {
				this.sampling.read(() -> read(load));
			}
			else {
				load.stillBeingRead();
			}
		}
	}

	private List<Load> loads() {
		return this.rules.values().stream().flatMap(AdaptiveRule::loads).distinct().toList();
	}

	/**
	 * Read a signal that was begun.
	 */
	private void read(Load load) {
		if (load.read()) {
			this.rules.values().forEach(AdaptiveRule::adjust);
		}
	}

	/**
	 * Read signals no more.
	 */
	@Override
	public void close() {
		this.sampling.close();
	}

}
