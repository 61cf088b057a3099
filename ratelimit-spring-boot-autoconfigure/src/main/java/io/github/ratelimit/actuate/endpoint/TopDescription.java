package io.github.ratelimit.actuate.endpoint;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.top.TalkerList;
import io.github.ratelimit.top.TopReport;
import io.github.ratelimit.top.TopTalkers;

import org.springframework.lang.Nullable;

/**
 * Keys of a rule with most denials. This is the only place that lists keys which no
 * operator has named, but for bans.
 */
record TopDescription(String rule, @Nullable TopTalkers talkers, Instant now) {

	Map<String, Object> describe(@Nullable String key) {
		if (key != null) {
			throw new InvalidAttributeException("top", "true", "it lists keys of the whole rule.",
					"Leave the key out, or read its state with ?explain.");
		}
		if (this.talkers == null) {
			throw new Problem.NothingFound("Keys with most denials are not recorded, because ratelimit.top.size is 0. "
					+ "Set ratelimit.top.size to 100, for example.");
		}
		TopReport report = this.talkers.report(this.rule);
		Map<String, Object> described = Fields.of("rule", this.rule).with("countedIn", countedIn(report)).toMap();
		describe("denied", "top", report.denials(), described);
		if (report.calls() != null) {
			describe("calls", "topByCalls", report.calls(), described);
		}
		return described;
	}

	private static String countedIn(TopReport report) {
		StoreException failure = report.failure();
		if (failure != null) {
			return "this instance only, because those of others cannot be read: " + failure.getMessage();
		}
		if (!report.isShared()) {
			return "this process only";
		}
		return (report.instances() == 1) ? "this instance; no other has shared denials of this rule lately"
				: report.instances() + " instances; those of others are at most 10 s old";
	}

	private void describe(String number, String name, TalkerList list, Map<String, Object> described) {
		if (list.total() > 0) {
			String since = this.now.minus(list.since()).truncatedTo(ChronoUnit.SECONDS).toString();
			described.merge("since", since, (of, other) -> (since.compareTo(of.toString()) < 0) ? since : of);
		}
		described.put(number, list.total());
		described.put(name, list.talkers().stream().map((talker) -> describe(number, talker, list.total())).toList());
	}

	private static Map<String, Object> describe(String number, TalkerList.Talker talker, long total) {
		return Fields.of("key", talker.key())
			.with(number, talker.count())
			.with("error", talker.error())
			.with("share", Math.round(10_000.0 * talker.count() / total) / 10_000.0)
			.toMap();
	}

}
