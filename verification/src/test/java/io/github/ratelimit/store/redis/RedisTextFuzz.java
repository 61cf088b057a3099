package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import redis.clients.jedis.Jedis;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Ban;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.fuzz.FuzzInput;
import io.github.ratelimit.fuzz.FuzzedRules;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.store.FigureStore.Added;
import io.github.ratelimit.store.FigureStore.Figures;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bytes of the keys in Redis that calls do not read: a byte for what is read, one for the
 * type of its key, then the content. It is read or fails with a remedy, and the next
 * content is read again.
 */
public final class RedisTextFuzz {

	private static final String RULE = "fuzzed";

	private static final RuleCounts COUNTS = RuleCounts.of(RateLimitRule.named(RULE)
		.limit(1, Duration.ofMinutes(1))
		.algorithm(Algorithm.FIXED_WINDOW)
		.ban(new Ban(2, Duration.ofMinutes(1), Duration.ofHours(1)))
		.build());

	private static final String KNOWN_CHANGE = "1 fuzzed:ann";

	private static final RedisKeys KEYS = RedisUnderTest.keys("fuzz-text");

	private static final Jedis REDIS = new Jedis(RedisUnderTest.process().host(), RedisUnderTest.process().port());

	private static final RedisRateLimitStore STORE = new RedisRateLimitStore(
			new RedisSetup(new SynchronousScriptRunner(RedisUnderTest.process()), "fuzz-text", Duration.ofSeconds(20),
					RedisSharding.NONE, () -> FuzzedRules.NOW));

	private static final OverrideStore OVERRIDES = STORE.overrides(RedisUnderTest.connections());

	private RedisTextFuzz() {
	}

	public static void fuzzerTestOneInput(byte[] input) {
		FuzzInput from = new FuzzInput(input);
		Read read = Read.values()[from.below(Read.values().length)];
		int form = from.below(5);
		byte[] content = from.rest();
		try {
			store(read, form, content);
			read.run();
		}
		catch (StoreException ex) {
			assertThat(ex).hasMessageMatching("(?s).*\\S.*");
			assertThat(ex.isOutage()).isFalse();
			assertThat(ex.remedy()).isNotBlank();
		}
		finally {
			REDIS.del(read.key);
		}
		read.run();
	}

	private static void store(Read read, int form, byte[] content) {
		REDIS.del(read.key);
		switch (form) {
			case 0 -> REDIS.set(read.key, content);
			case 1 -> {
				REDIS.lpush(read.key, bytes(KNOWN_CHANGE));
				REDIS.lpush(read.key, content);
			}
			case 2 -> REDIS.zadd(read.key, 2e15, content);
			default -> {
				byte[] field = (form == 3) ? bytes(read.field) : content;
				REDIS.hset(read.key, field, content);
			}
		}
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * What is read.
	 */
	private enum Read {

		OVERRIDES_OF_RULES(KEYS.overrides(), RULE) {

			@Override
			void run() {
				OVERRIDES.changes("");
				OVERRIDES.read(OverrideStore.RULES);
				OVERRIDES.read(OverrideStore.RULES, List.of(RULE));
				OVERRIDES.replace(OverrideStore.RULES, RULE, null, null, "ann");
			}

		},

		HISTORY(KEYS.history(), RULE) {

			@Override
			void run() {
				OVERRIDES.latestChanges();
			}

		},

		CHANGES_OF_KEYS(KEYS.keyOverrideChanges(), RULE) {

			@Override
			void run() {
				OVERRIDES.changes(KNOWN_CHANGE);
			}

		},

		OVERRIDES_OF_KEYS(KEYS.keyOverrides(RULE), "ann") {

			@Override
			void run() {
				OVERRIDES.read(RULE);
				OVERRIDES.read(RULE, List.of("ann"));
				OVERRIDES.removeEnded(RULE, List.of("ann"));
			}

		},

		SUMMARIES(KEYS.ofRule("top", RULE), "t1") {

			@Override
			void run() {
				STORE.summaries()
					.get()
					.shareSummary(RULE, new byte[0])
					.handle((done, failure) -> done)
					.toCompletableFuture()
					.join();
				STORE.summaries().get().summariesOfOthers(RULE);
			}

		},

		FIGURES(bytes("fuzz-text:{rules}:candidates:fuzzed:tight"), "calls") {

			@Override
			void run() {
				OVERRIDES.figures()
					.get()
					.add(RULE, "tight", new Added("a", 0, 0, 0), new Figures(1, 1, 1, 1, new byte[] { 0, 0, 1 }));
			}

		},

		REGISTERS(bytes("fuzz-text:{rules}:candidates:fuzzed:tight:denied-keys"), "calls") {

			@Override
			void run() {
				OVERRIDES.figures()
					.get()
					.add(RULE, "tight", new Added("a", 0, 0, 0), new Figures(1, 1, 1, 1, new byte[] { 0, 0, 1 }));
			}

		},

		BANS(KEYS.ofRule("bans", RULE), "ann") {

			@Override
			void run() {
				STORE.bans(COUNTS);
			}

		};

		private final byte[] key;

		private final String field;

		Read(byte[] key, String field) {
			this.key = key;
			this.field = field;
		}

		abstract void run();

	}

}
