package io.github.ratelimit.override;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttributes;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.RuleOverride;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.store.StoreException;

/**
 * Rules that are changed at run time, for every instance and until somebody takes it
 * back.
 *
 * @since 0.1.0
 */
public final class RuleOverrides implements AutoCloseable {

	private static final Logger logger = System.getLogger(RuleOverrides.class.getName());

	/**
	 * How often to try when others change the same rule.
	 */
	private static final int ATTEMPTS = 5;

	private final RuleRegistry registry;

	private final OverrideStore store;

	private final Clock clock;

	private final KnownOverrides known;

	private final OverrideWatch watch;

	/**
	 * Create new overrides, none yet.
	 * @param registry the rules that follow them
	 * @param store where they are kept
	 * @param clock tells when one was made
	 */
	public RuleOverrides(RuleRegistry registry, OverrideStore store, Clock clock) {
		this.registry = registry;
		this.store = store;
		this.clock = clock;
		this.known = new KnownOverrides(registry::override);
		this.watch = new OverrideWatch(store, this.known);
	}

	/**
	 * Learn what is kept, now and whenever it changes. A store that does not answer
	 * within a second is not waited for.
	 */
	public void start() {
		this.watch.start();
	}

	/**
	 * Whether changes reach other instances and outlive this one.
	 * @return {@code false} if they hold in this process only
	 */
	public boolean isShared() {
		return this.store.isShared();
	}

	/**
	 * What is overridden now, as far as this instance knows.
	 * @return the overrides, of rules of this application and of others that share the
	 * store, ordered by name
	 */
	public Collection<RuleOverride> inForce() {
		return this.known.all();
	}

	/**
	 * Change a rule, beside what was changed before.
	 * @param rule the name of the rule
	 * @param mode its mode, or {@code null} to leave it
	 * @param limit which limit to change, {@code null} for the only one
	 * @param said what to change of the limit, none to leave it
	 * @return all that is overridden now
	 * @throws RateLimitConfigurationException if the rule cannot follow
	 * @throws IllegalArgumentException if there is no such rule
	 * @throws StoreException if the store cannot keep it; nothing has changed then, as
	 * far as is known
	 * @throws ConflictingChangeException if others change the rule all the time
	 */
	public RuleOverride change(String rule, @Nullable Mode mode, @Nullable String limit, LimitAttributes said) {
		RateLimitRule changed = this.registry.limiter(rule).rule();
		SortedMap<String, LimitAttributes> limits = new TreeMap<>();
		if (limit != null || !said.equals(LimitAttributes.NONE)) {
			limits.put(nameOf(changed, limit), said);
		}
		RuleOverride override = new RuleOverride(rule, mode, limits,
				this.clock.instant().truncatedTo(ChronoUnit.MILLIS));
		this.registry.judge(override.after(earlier(rule)));
		for (int i = 0; i < ATTEMPTS; i++) {
			this.watch.readNow();
			RuleOverride all = override.after(earlier(rule));
			this.registry.judge(all);
			if (this.store.replace(rule, this.known.text(rule), OverrideText.of(all))) {
				readKept();
				return all;
			}
		}
		throw new ConflictingChangeException(rule);
	}

	/**
	 * What is kept is kept, even if it can be put in force only later.
	 */
	private void readKept() {
		try {
			this.watch.readNow();
		}
		catch (StoreException ex) {
			logger.log(Level.DEBUG, "A change of a rule will be in force when the store answers again", ex);
		}
	}

	/**
	 * What was said before. What the rule cannot follow any more is replaced, not
	 * completed.
	 */
	private @Nullable RuleOverride earlier(String rule) {
		RuleOverride earlier = this.known.find(rule);
		if (earlier == null) {
			return null;
		}
		try {
			this.registry.judge(earlier);
			return earlier;
		}
		catch (RateLimitConfigurationException ex) {
			return null;
		}
	}

	/**
	 * A limit may be called by its own name, or as decisions call it.
	 */
	private static String nameOf(RateLimitRule rule, @Nullable String limit) {
		if (limit == null) {
			return RuleOverride.ONLY_LIMIT;
		}
		List<Limit> limits = rule.limits();
		for (Limit each : limits) {
			if (limit.equals(each.name()) || limit.equals(rule.nameOf(each))) {
				return (limits.size() == 1) ? RuleOverride.ONLY_LIMIT : String.valueOf(each.name());
			}
		}
		return limit;
	}

	/**
	 * Let a rule be again what is written.
	 * @param rule the name of the rule
	 * @return {@code false} if nothing was overridden
	 * @throws StoreException if the store cannot forget it
	 * @throws ConflictingChangeException if others change the rule all the time
	 */
	public boolean remove(String rule) {
		for (int i = 0; i < ATTEMPTS; i++) {
			this.watch.readNow();
			String text = this.known.text(rule);
			if (text == null) {
				return false;
			}
			if (this.store.replace(rule, text, null)) {
				readKept();
				return true;
			}
		}
		throw new ConflictingChangeException(rule);
	}

	/**
	 * Learn of changes no more.
	 */
	@Override
	public void close() {
		this.watch.close();
		this.store.close();
	}

}
