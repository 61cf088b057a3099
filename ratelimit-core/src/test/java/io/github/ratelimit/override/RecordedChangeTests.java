package io.github.ratelimit.override;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.override.OverrideStore.Result;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Texts of changes in the history, and the history of this process.
 */
class RecordedChangeTests {

	private final AtomicLong clock = new AtomicLong(5_000);

	private final KeptOverrides store = new KeptOverrides(OverridePlace.local(this.clock::get), false);

	@Test
	void linesOfATextAreReadAndUnknownOnesIgnored() {
		assertThat(RecordedChange.read("at=5\nby=ann\nmore=x\nrule=reply\nfrom=max=5\nto=max=6"))
			.isEqualTo(new RecordedChange(Instant.ofEpochMilli(5), "ann", "reply", null, "max=5", "max=6"));
		assertThat(RecordedChange.read("to=max=6"))
			.isEqualTo(new RecordedChange(Instant.EPOCH, "", "", null, "", "max=6"));
		assertThat(RecordedChange.read("at=soon").at()).isEqualTo(Instant.EPOCH);
	}

	@Test
	void keyAtTheEndMayHaveLines() {
		assertThat(RecordedChange.read("rule=sms\nto=max=6\nkey=a\nto=9")).extracting("key", "to")
			.containsExactly("a\nto=9", "max=6");
		assertThat(RecordedChange.read("key=\nrule=x")).extracting("key", "rule").containsExactly("\nrule=x", "");
	}

	@Test
	void nameIsPrintableAndNotTooLong() {
		assertThat(RecordedChange.nameOf(" ann\nby=bob\u0007 ")).isEqualTo("ann by=bob");
		assertThat(RecordedChange.nameOf("x".repeat(200))).hasSize(200);
		assertThat(RecordedChange.nameOf("x".repeat(201))).hasSize(200);
	}

	@Test
	void changesAreKeptWithTheirTimeAndSurviveTheirBytes() {
		replace("", "max=5", "ann");
		this.clock.set(7_000);
		assertThat(replace("max=4", "max=6", "refused")).isEqualTo(Result.CONFLICT);
		this.store.replace(OverrideStore.RULES, "reply", "max=5", null, "bob");
		KeptOverrides read = new KeptOverrides(OverridePlace.local(this.clock::get), false);
		read.read(this.store.toBytes());
		assertThat(read.history()).containsExactly(
				new RecordedChange(Instant.ofEpochMilli(7), "bob", "reply", null, "max=5", ""),
				new RecordedChange(Instant.ofEpochMilli(5), "ann", "reply", null, "", "max=5"));
	}

	@Test
	void sameOverrideIsNoChange() {
		replace("", "max=5", "ann");
		assertThat(replace("max=5", "max=5", "bob")).isEqualTo(Result.DONE);
		assertThat(this.store.history()).extracting(RecordedChange::by).containsExactly("ann");
	}

	@Test
	void latestHundredAreKept() {
		for (int i = 0; i < 120; i++) {
			replace((i > 0) ? "max=" + i : "", "max=" + (i + 1), "ann");
		}
		assertThat(this.store.history()).hasSize(RecordedChange.KEPT)
			.first()
			.extracting(RecordedChange::to)
			.isEqualTo("max=120");
	}

	private Result replace(String expected, String text, String changedBy) {
		return this.store.replace(OverrideStore.RULES, "reply", expected, new OverrideText(text), changedBy);
	}

}
