package io.github.ratelimit.actuate.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.Ban;
import io.github.ratelimit.Decision;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.KeyMaintenance.KeyExemption;
import io.github.ratelimit.engine.KeyMaintenance.KeyState;
import io.github.ratelimit.notation.DurationText;
import io.github.ratelimit.notation.KebabCase;
import io.github.ratelimit.store.RuleAnswer;
import org.jspecify.annotations.Nullable;

/** State of a key of a rule. */
record KeyDescription(RateLimitRule rule, String key, KeyState state, String onStoreFailure, KeyExemption exemption,
		Instant now) {

	Map<String, Object> describe() {
		KeyOverride override = this.exemption.override();
		return Fields.of("rule", this.rule.name())
			.with("key", this.key)
			.with("mode", EndpointFormat.mode(this.rule.mode()))
			.with("origin", KebabCase.of(peeked().origin()))
			.with("limits", peeked().limits().stream().map(this::describe).toList())
			.with("override",
					(override != null) ? OverrideDescription.of(override, this.exemption.ignoredBecause()) : null)
			.with("list", this.exemption.list())
			.with("nextCallAfterMs", nextCallAfterMs())
			.with("bannedUntil", (bannedFor() != null) ? EndpointFormat.instant(countedAt(), bannedFor()) : null)
			.toMap();
	}

	private Map<String, Object> describe(LimitStatus status) {
		boolean hasPeriod = !status.period().isZero();
		return Fields.of("name", status.name())
			.with("max", status.max())
			.with("calendar", (status.calendar() != null) ? status.calendar().yamlName() : null)
			.with("period", hasPeriod ? DurationText.of(status.period()) : null)
			.with("capacity", status.capacity())
			.with("used", used(status))
			.with("remaining", status.remaining())
			.with("owed", this.state.owed().get(status.name()))
			.with("nextCallAfterMs", waitsForCalls(status) ? null : millisUnlessNever(status.retryAfter()))
			.with("resetAfterMs", hasPeriod ? (Long) EndpointFormat.millis(status.resetAfter()) : null)
			.toMap();
	}

	private @Nullable Long nextCallAfterMs() {
		if (deniesNone()) {
			return 0L;
		}
		return (isCounted() && !waitsForCalls()) ? millisUnlessNever(nextCallAfter()) : null;
	}

	private boolean deniesNone() {
		return EndpointFormat.deniesNone(this.rule.mode());
	}

	private static @Nullable Long millisUnlessNever(Duration duration) {
		return duration.equals(Decision.NEVER) ? null : (Long) EndpointFormat.millis(duration);
	}

	private static boolean waitsForCalls(LimitStatus status) {
		return !status.admitted() && status.retryAfter().isZero();
	}

	private boolean waitsForCalls() {
		return this.exemption.blockedFor() == null && !isExempt()
				&& peeked().limits().stream().anyMatch(KeyDescription::waitsForCalls);
	}

	private static long used(LimitStatus status) {
		return Math.max(0, status.capacity() - status.remaining());
	}

	private Decision peeked() {
		return this.state.decision();
	}

	private boolean isCounted() {
		return !peeked().limits().isEmpty();
	}

	private Duration nextCallAfter() {
		Duration blockedFor = this.exemption.blockedFor();
		return (blockedFor != null) ? blockedFor : isExempt() ? Duration.ZERO : peeked().retryAfter();
	}

	private boolean isExempt() {
		KeyOverride override = this.exemption.override();
		return (override != null) ? override.isUnlimited() : "allow".equals(this.exemption.list());
	}

	/**
	 * Explain the override or the list entry of the key, and a block that is neither: the
	 * answer to an outgoing request demanded it, and it is not stored.
	 */
	private void explainExemption(List<String> sentences) {
		KeyOverride override = this.exemption.override();
		Duration blockedFor = this.exemption.blockedFor();
		String isDenied = EndpointFormat.isDenied(this.rule.mode());
		if (override != null) {
			sentences.add(OverrideDescription.explain(this.rule, this.key, override, this.exemption.ignoredBecause()));
		}
		else if (this.exemption.list() != null) {
			sentences.add(isExempt() ? "Every call passes and is not counted, because the key is on the allow list."
					: "Every call " + isDenied + ", because the key is on the deny list.");
		}
		if (blockedFor != null && this.exemption.list() == null && (override == null || !override.isBlocked())) {
			sentences.add("Every call of this instance " + isDenied + " until "
					+ EndpointFormat.instant(this.now, blockedFor) + ", because an API requested it.");
		}
	}

	List<String> explain() {
		List<String> sentences = new ArrayList<>();
		sentences.add("Rule \"" + this.rule.name() + "\" has one counter for "
				+ (this.key.isEmpty() ? "all calls." : "the key \"" + this.key + "\"."));
		Mode mode = this.rule.mode();
		if (mode == Mode.SHADOW) {
			sentences.add("It is in shadow mode: calls are counted, but none is denied.");
		}
		else if (mode == Mode.OFF) {
			sentences.add("It is off: calls are neither denied nor counted. What follows was counted before.");
		}
		explainExemption(sentences);
		peeked().limits().forEach((status) -> sentences.add(explain(status)));
		boolean isCounted = !isExempt() && this.exemption.blockedFor() == null;
		if (isCounted && bannedFor() != null && this.rule.ban() != null) {
			sentences.add(explain(this.rule.ban(), bannedFor()));
		}
		if (isCounted && isCounted()) {
			sentences.add(explainNextCall());
		}
		sentences.add(explainOrigin());
		return sentences;
	}

	private String explain(LimitStatus status) {
		boolean isOfRunningCalls = status.period().isZero();
		return "Limit \"" + status.name() + "\" admits "
				+ EndpointFormat.numbers(status.max(), status.calendar(), status.period())
				+ ((status.capacity() != status.max()) ? ", at most " + status.capacity() + " at once" : "")
				+ ((status.minInterval() != null) ? ", at most one every " + DurationText.of(status.minInterval()) : "")
				+ ": " + used(status) + " of " + status.capacity()
				+ (isOfRunningCalls ? " held by running calls, " : " used, ") + status.remaining() + " left"
				+ (isOfRunningCalls ? "." : explainReset(status)) + explainDebt(status);
	}

	private String explainDebt(LimitStatus status) {
		Long owed = this.state.owed().get(status.name());
		return (owed == null || status.retryAfter().equals(Decision.NEVER)) ? ""
				: " It admits no call, because " + owed + " units of earlier calls are owed until "
						+ EndpointFormat.instant(countedAt(), status.retryAfter()) + '.';
	}

	private String explainReset(LimitStatus status) {
		return status.resetAfter().isZero() ? "; nothing is counted at the moment."
				: "; unused again " + EndpointFormat.when(countedAt(), status.resetAfter()) + '.';
	}

	private String explain(Ban ban, Duration bannedFor) {
		return "All calls " + (deniesNone() ? "would be" : "are") + " denied, because the key is banned after "
				+ ban.after() + " denials until " + EndpointFormat.instant(countedAt(), bannedFor)
				+ ". To lift the ban, DELETE this key.";
	}

	private String explainNextCall() {
		if (nextCallAfter().equals(Decision.NEVER)) {
			return "No such call " + (deniesNone() ? "would" : "can") + " ever pass" + becauseOf(waitingFor());
		}
		if (waitsForCalls()) {
			String others = nextCallAfter().isZero() ? ""
					: ", but not before it " + passes() + ' ' + whenNextCallPasses();
			return "The next call " + passes() + " when running calls have ended" + others
					+ becauseOf(peeked().violated().stream());
		}
		if (nextCallAfter().isZero()) {
			return "The next call passes now.";
		}
		String sentence = "The next call " + passes() + ' ' + whenNextCallPasses() + becauseOf(waitingFor());
		return (this.rule.maxWait().isZero() || deniesNone()) ? sentence
				: sentence + " Calls wait up to " + DurationText.of(this.rule.maxWait()) + " instead of being denied.";
	}

	private String passes() {
		return deniesNone() ? "would pass" : "passes";
	}

	private String whenNextCallPasses() {
		return EndpointFormat.when(countedAt(), nextCallAfter());
	}

	/**
	 * Return the time of the clock by which the key is counted. By another one, an exact
	 * end of a window could be shown a second late.
	 */
	private Instant countedAt() {
		RuleAnswer answer = this.state.answer();
		return (answer != null) ? Instant.EPOCH.plus(answer.time(), ChronoUnit.MICROS) : this.now;
	}

	private @Nullable Duration bannedFor() {
		RuleAnswer answer = this.state.answer();
		return (answer != null && answer.ban() != null) ? Duration.of(answer.ban().endsAfter(), ChronoUnit.MICROS)
				: null;
	}

	private static String becauseOf(Stream<String> limits) {
		return limits.collect(Collectors.joining("\", \"", ", because of \"", "\"."));
	}

	/** Return what denies the next call, and for longer than a ban if there is one. */
	private Stream<String> waitingFor() {
		Duration bannedFor = bannedFor();
		if (bannedFor == null || bannedFor.compareTo(nextCallAfter()) >= 0) {
			return peeked().violated().stream();
		}
		return peeked().limits()
			.stream()
			.filter((status) -> status.retryAfter().compareTo(bannedFor) > 0)
			.map(LimitStatus::name);
	}

	private String explainPrefetch() {
		Duration prefetch = this.rule.prefetch();
		return (prefetch == null) ? "" : " Units that instances hold, for " + DurationText.of(prefetch)
				+ " at most, are not among those left.";
	}

	private String explainOrigin() {
		return switch (peeked().origin()) {
			case REDIS -> "These are the counters in Redis, of all instances together." + explainPrefetch();
			case JDBC -> "These are the counters in the database, of all instances together.";
			case LOCAL -> "These are the counters of this process; others have their own.";
			case FALLBACK -> store() + " cannot answer at the moment. The policy of the rule is " + this.onStoreFailure
					+ (isCounted() ? ": these are the counters of this process until it is back."
							: ", so no calls are counted.");
			case DENY_CACHE, NONE -> "No store was called.";
		};
	}

	private String store() {
		return switch (this.state.store()) {
			case REDIS -> "Redis";
			case JDBC -> "The database";
			default -> "The store";
		};
	}

}
