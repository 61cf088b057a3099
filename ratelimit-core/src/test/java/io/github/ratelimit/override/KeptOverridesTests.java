package io.github.ratelimit.override;

import java.time.Duration;
import java.util.HexFormat;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bytes of overrides, which instances of former versions read and write as well.
 */
class KeptOverridesTests {

	private static final String OF_RULES = "02924e040a7265706c790a6d61783d3506736d73166461792e6d61783de88081040a06626f62"
			+ "06736d73000000166461792e6d61783de880810a06616e6e0a7265706c790000000a6d61783d35";

	private static final String OF_KEYS = "0284bfd606febed6060206736d730206e880810a6d61783d390680bfd6060a7265706c790661"
			+ "6e6e82bfd60606736d7306e8808184bfd6060a7265706c7906616e6e06b06d066f70730a7265706c790206616e6e26756e746"
			+ "96c3d313030303020626c6f636b656400b06d066f707306736d730206e88081000a6d61783d39b06d066f70730a7265706c79"
			+ "0206616e6e0026756e74696c3d313030303020626c6f636b6564";

	@Test
	void bytesOfRulesAreThoseOfFormerVersions() {
		KeptOverrides rules = new KeptOverrides(OverridePlace.local(() -> 5_000), false);
		rules.replace(OverrideStore.RULES, "reply", "", new OverrideText("max=5"), "ann");
		rules.replace(OverrideStore.RULES, "sms", "", new OverrideText("day.max=老"), "bob");
		assertThat(hex(rules)).isEqualTo(OF_RULES);
		assertSurvives(OF_RULES, false);
	}

	@Test
	void bytesOfKeysAreThoseOfFormerVersions() {
		KeptOverrides keys = new KeptOverrides(OverridePlace.local(() -> 7_000_000), true);
		keys.replace("reply", "ann", "", new OverrideText("blocked", Duration.ofSeconds(3), null), "ops");
		keys.replace("sms", "老", "", new OverrideText("max=9"), "ops");
		keys.replace("reply", "ann", null, null, "ops");
		assertThat(hex(keys)).isEqualTo(OF_KEYS);
		assertSurvives(OF_KEYS, true);
	}

	private static void assertSurvives(String bytes, boolean areOfKeys) {
		KeptOverrides read = new KeptOverrides(OverridePlace.local(() -> 0), areOfKeys);
		read.read(HexFormat.of().parseHex(bytes));
		assertThat(hex(read)).isEqualTo(bytes);
	}

	private static String hex(KeptOverrides overrides) {
		return HexFormat.of().formatHex(overrides.toBytes());
	}

}
