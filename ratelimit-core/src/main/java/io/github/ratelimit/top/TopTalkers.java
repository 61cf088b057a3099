package io.github.ratelimit.top;

import java.io.ByteArrayOutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

import io.github.ratelimit.concurrent.RepeatedTask;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleValue;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.SummaryStore;
import io.github.ratelimit.store.SummaryStore.SharedSummary;
import org.jspecify.annotations.Nullable;

/**
 * Keys of each rule with most denials of the last ten minutes and, if that is asked for,
 * with most calls. While there are denials, a thread counts the noted ones every five
 * seconds and shares the summaries with other instances.
 *
 * @since 0.1.0
 */
public final class TopTalkers implements AutoCloseable {

	private static final Logger logger = System.getLogger(TopTalkers.class.getName());

	private static final Duration INTERVAL = Duration.ofSeconds(5);

	/**
	 * First byte of a shared summary. Instances of other versions may write others, which
	 * are left out.
	 */
	private static final byte FORMAT = 1;

	private static final byte[] EMPTY = { FORMAT, 0, 0, 0, 0 };

	private final Map<String, OfRule> rules = new ConcurrentHashMap<>();

	private final RuleValue<OfRule> ofRule = new RuleValue<>((counts) -> ofRule(counts.rule().name()));

	private final RecentCalls recent;

	private final int size;

	private final boolean countsCalls;

	private final @Nullable SummaryStore shared;

	private final LongSupplier clock;

	private final RepeatedTask sharing;

	/**
	 * Create an instance that has heard of no call.
	 * @param size the number of keys of a rule, at least 1
	 * @param countsCalls whether all calls are recorded, not denials alone
	 * @param shared shares summaries with other instances, {@code null} if there are none
	 * @param clock nanoseconds, as of {@link System#nanoTime()}
	 */
	public TopTalkers(int size, boolean countsCalls, @Nullable SummaryStore shared, LongSupplier clock) {
		this(size, countsCalls, shared, clock, INTERVAL);
	}

	TopTalkers(int size, boolean countsCalls, @Nullable SummaryStore shared, LongSupplier clock, Duration interval) {
		this.size = size;
		this.countsCalls = countsCalls;
		this.shared = shared;
		this.clock = clock;
		this.sharing = new RepeatedTask("ratelimit-top", interval, this::share);
		this.recent = new RecentCalls(clock);
	}

	private OfRule ofRule(String rule) {
		return this.rules.computeIfAbsent(rule, (name) -> new OfRule(name, this.size));
	}

	/**
	 * Record a denial.
	 * @param key the text of the stored key
	 */
	public void denied(RuleCounts counts, String key) {
		OfRule rule = this.ofRule.get(counts);
		record(rule.denials, key);
		if (this.countsCalls) {
			record(rule.calls, key);
		}
	}

	/** Record an admitted call, if calls are recorded. */
	public void admitted(RuleCounts counts, String key) {
		if (this.countsCalls) {
			record(this.ofRule.get(counts).calls, key);
		}
	}

	/**
	 * Record a call. One that only repeats another needs no thread: the other one has
	 * woken it, and it has not emptied the stripes since.
	 */
	private void record(TalkerWindow[] windows, String key) {
		if (this.recent.add(windows, key)) {
			this.sharing.wake();
		}
	}

	/** Count the noted calls, share changed summaries, and return whether any are. */
	boolean share() {
		this.recent.empty();
		boolean any = false;
		for (OfRule rule : this.rules.values()) {
			byte[] summary = rule.hasChanged(this.recent) ? encode(rule) : EMPTY;
			boolean isChanged = summary.length > EMPTY.length;
			any |= isChanged;
			if (isChanged && this.shared != null) {
				share(rule, summary, this.shared);
			}
		}
		return any;
	}

	private byte[] encode(OfRule rule) {
		try {
			return rule.encode(this.recent, this.clock);
		}
		catch (Throwable ex) { // no memory
			rule.isUnshared = true;
			throw ex;
		}
	}

	private void share(OfRule rule, byte[] summary, SummaryStore shared) {
		try {
			shared.shareSummary(rule.name, summary).whenComplete((done, failure) -> {
				if (failure != null) {
					notShared(rule, failure);
				}
			});
		}
		catch (Throwable ex) {
			notShared(rule, ex);
		}
	}

	/** Try again, until the summary is too old. */
	private void notShared(OfRule rule, Throwable failure) {
		rule.isUnshared = true;
		this.sharing.wake();
		logger.log(Level.DEBUG, () -> "Top talkers of rule \"" + rule.name + "\" are not shared now", failure);
	}

	/**
	 * Return the top talkers of a rule, of all instances if they share them. Blocks for a
	 * bounded time.
	 */
	public TopReport report(String rule) {
		this.recent.empty();
		OfRule own = this.rules.get(rule);
		List<SharedSummary> ownSummary = (own != null)
				? List.of(new SharedSummary(0, own.encode(this.recent, this.clock))) : List.of();
		try {
			return report(ownSummary, (this.shared != null) ? this.shared.summariesOfOthers(rule) : List.of(), null);
		}
		catch (StoreException ex) {
			return report(ownSummary, List.of(), ex);
		}
		catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException ex) {
			return report(ownSummary, List.of(), new StoreException("the summary of another instance is malformed", ex,
					"state", false, "Run the same version in all instances."));
		}
	}

	private TopReport report(List<SharedSummary> own, List<SharedSummary> others, @Nullable StoreException failure) {
		TalkerMerge denials = new TalkerMerge();
		TalkerMerge calls = new TalkerMerge();
		own.forEach((summary) -> add(summary, denials, calls));
		others.forEach((summary) -> add(summary, denials, calls));
		return new TopReport(denials.largest(this.size), this.countsCalls ? calls.largest(this.size) : null,
				1 + others.size(), this.shared != null, failure);
	}

	private static void add(SharedSummary summary, TalkerMerge denials, TalkerMerge calls) {
		ByteBuffer content = ByteBuffer.wrap(summary.content());
		if (content.get() == FORMAT) {
			int length = content.getInt();
			denials.add(content.slice(content.position(), length), summary.age());
			calls.add(content.position(content.position() + length), summary.age());
		}
	}

	/** Forget all calls of this instance. */
	public void clear() {
		this.recent.empty();
		this.recent.useParts((part) -> this.rules.values().forEach((rule) -> rule.clear(part)));
	}

	/** Forget the calls of a rule that was removed. */
	public void forget(String rule) {
		this.rules.remove(rule);
	}

	@Override
	public void close() {
		this.sharing.close();
	}

	private static final class OfRule {

		private final String name;

		private final TalkerWindow[] denials = new TalkerWindow[RecentCalls.PARTS];

		private final TalkerWindow[] calls = new TalkerWindow[RecentCalls.PARTS];

		/** Whether the latest summary could not be shared. */
		private volatile boolean isUnshared;

		OfRule(String name, int size) {
			this.name = name;
			Arrays.setAll(this.denials, (part) -> new TalkerWindow(size));
			Arrays.setAll(this.calls, (part) -> new TalkerWindow(size));
		}

		/** Return whether calls were counted since this method was called last. */
		boolean hasChanged(RecentCalls recent) {
			AtomicBoolean changed = new AtomicBoolean(this.isUnshared);
			this.isUnshared = false;
			recent.useParts((part) -> {
				if (this.denials[part].hasChanged() | this.calls[part].hasChanged()) {
					changed.set(true);
				}
			});
			return changed.get();
		}

		void clear(int part) {
			this.denials[part].clear();
			this.calls[part].clear();
		}

		byte[] encode(RecentCalls recent, LongSupplier clock) {
			ByteArrayOutputStream ofDenials = new ByteArrayOutputStream();
			ByteArrayOutputStream ofCalls = new ByteArrayOutputStream();
			recent.useParts((part) -> {
				long now = clock.getAsLong();
				ofDenials.writeBytes(this.denials[part].encode(now));
				ofCalls.writeBytes(this.calls[part].encode(now));
			});
			return ByteBuffer.allocate(1 + Integer.BYTES + ofDenials.size() + ofCalls.size())
				.put(FORMAT)
				.putInt(ofDenials.size())
				.put(ofDenials.toByteArray())
				.put(ofCalls.toByteArray())
				.array();
		}

	}

}
