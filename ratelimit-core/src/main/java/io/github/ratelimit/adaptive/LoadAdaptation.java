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
 * Rules adjusted to the current load of this instance. Signals are read in the
 * background; a call only reads the adjusted rule.
 *
 * @since 0.1.0
 */
public final class LoadAdaptation implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private final LoadSignalRegistry signals;

	private final Sampling sampling;

	private final Map<String, AdaptiveRule> rules = new ConcurrentHashMap<>();

	/**
	 * Create an instance without rules.
	 * @param signals the signals of the application by name, each created when the first
	 * rule follows it
	 * @param interval the pause between two readings of the signals
	 */
	public LoadAdaptation(Map<String, Supplier<LoadSignal>> signals, Duration interval) {
		this(new LoadSignalRegistry(signals, Memory::ofThisProcess), new Sampling(interval, PATIENCE));
	}

	LoadAdaptation(LoadSignalRegistry signals, Sampling sampling) {
		this.signals = signals;
		this.sampling = sampling;
	}

	/**
	 * Check that the load signal of a limit exists.
	 * @throws InvalidAttributeException if its load signal is unknown
	 */
	public void validate(Limit limit) {
		Adaptive adaptive = limit.adaptive();
		if (adaptive != null) {
			this.signals.find(adaptive);
		}
	}

	/**
	 * Adjust a rule to the load from now on, instead of an earlier one of the same name.
	 * A new signal is read at once, so that it affects the first call; the reading is
	 * awaited for a second at most.
	 * @throws InvalidAttributeException if a load signal is unknown
	 */
	public void follow(RateLimitRule rule) {
		if (!rule.isAdaptive()) {
			this.rules.remove(rule.name());
			return;
		}
		rule.limits().forEach((limit) -> validate(rule, limit));
		AdaptiveRule followed = new AdaptiveRule(rule, this.signals);
		followed.loads().distinct().filter((load) -> !load.isKnown()).forEach(this::readFirst);
		followed.adjust();
		this.rules.put(rule.name(), followed);
		followed.adjust();
		this.sampling.repeat(this::readBeside);
	}

	public void forget(String rule) {
		this.rules.remove(rule);
	}

	private void validate(RateLimitRule rule, Limit limit) {
		try {
			validate(limit);
		}
		catch (InvalidAttributeException ex) {
			throw ex.at(ex.attribute() + " of \"" + rule.nameOf(limit) + '"');
		}
	}

	private void readFirst(Load load) {
		try {
			if (load.begin() && !this.sampling.await(() -> read(load))) {
				load.warnOfSilence();
			}
		}
		catch (OutOfMemoryError ex) {
			load.notRead(ex);
		}
	}

	/**
	 * Return the rule that decides a call.
	 * @return the rule with the current {@code max}, or the rule itself if it is not
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
	 * Read the signals of all rules now instead of after the next interval. A signal that
	 * is being read is skipped.
	 */
	public void sample() {
		loads().stream().filter(Load::begin).forEach(this::read);
	}

	/** Read each signal on its own thread, because one may hang. */
	private void readBeside() {
		for (Load load : loads()) {
			if (load.begin()) {
				readBeside(load);
			}
			else {
				load.stillBeingRead();
			}
		}
	}

	private void readBeside(Load load) {
		try {
			this.sampling.read(() -> read(load));
		}
		catch (OutOfMemoryError ex) {
			load.notRead(ex);
		}
	}

	private List<Load> loads() {
		return this.rules.values().stream().flatMap(AdaptiveRule::loads).distinct().toList();
	}

	private void read(Load load) {
		if (load.read()) {
			this.rules.values().forEach(AdaptiveRule::adjust);
		}
	}

	@Override
	public void close() {
		this.sampling.close();
	}

}
