package io.github.ratelimit.override;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Texts of changes in the history, and the history of this process.
 */
class RecordedChangeTests {

	private final AtomicLong clock = new AtomicLong(5_000);

	private final LocalOverrideStore store = new LocalOverrideStore(this.clock::get);

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
		this.store.replace("reply", null, "max=5", "ann");
		this.clock.set(7_000);
		assertThat(this.store.replace("reply", "max=4", "max=6", "refused")).isFalse();
		this.store.replace("reply", "max=5", null, "bob");
		LocalOverrideStore read = new LocalOverrideStore(this.clock::get);
		read.read(this.store.toBytes());
		assertThat(read.latestChanges()).containsExactly(
				new RecordedChange(Instant.ofEpochMilli(7), "bob", "reply", null, "max=5", ""),
				new RecordedChange(Instant.ofEpochMilli(5), "ann", "reply", null, "", "max=5"));
	}

	@Test
	void sameOverrideIsNoChange() {
		this.store.replace("reply", null, "max=5", "ann");
		assertThat(this.store.replace("reply", "max=5", "max=5", "bob")).isTrue();
		assertThat(this.store.latestChanges()).extracting(RecordedChange::by).containsExactly("ann");
	}

	@Test
	void latestHundredAreKept() {
		for (int i = 0; i < 120; i++) {
			this.store.replace("reply", (i > 0) ? "max=" + i : null, "max=" + (i + 1), "ann");
		}
		assertThat(this.store.latestChanges()).hasSize(RecordedChange.KEPT)
			.first()
			.extracting(RecordedChange::to)
			.isEqualTo("max=120");
	}

}
