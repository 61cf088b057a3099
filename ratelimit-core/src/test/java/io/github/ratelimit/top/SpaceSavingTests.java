package io.github.ratelimit.top;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.top.TalkerList.Talker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bounds of a summary and of merged ones, against exact counts.
 */
class SpaceSavingTests {

	private static final int CALLS = 20_000;

	private static final int SIZE = Streams.SIZE;

	/**
	 * Calls of which those of a key are counted together.
	 */
	private static final int TOGETHER = 10;

	private final long seed = new Random().nextLong();

	private final Random random = new Random(this.seed);

	@ParameterizedTest
	@EnumSource
	void countsAreBoundedByTheirErrorsAndFrequentKeysAreListed(Streams stream) {
		List<String> keys = stream.keys(CALLS, this.random);
		assertBounds(Streams.counts(keys), merged(List.of(keys)), CALLS / SIZE);
	}

	@ParameterizedTest
	@EnumSource
	void mergeOfThreeInstancesHasTheSameBounds(Streams stream) {
		List<List<String>> instances = new ArrayList<>();
		List<String> all = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			Streams of = (i == 0) ? stream : Streams.values()[this.random.nextInt(Streams.values().length)];
			instances.add(of.keys(1 + this.random.nextInt(CALLS), this.random));
			all.addAll(instances.get(i));
		}
		assertBounds(Streams.counts(all), merged(instances), all.size() / SIZE);
	}

	private void assertBounds(Map<String, Long> exact, TalkerList list, long largestError) {
		String seed = "seed " + this.seed;
		assertThat(list.total()).as(seed).isEqualTo(exact.values().stream().mapToLong(Long::longValue).sum());
		assertThat(list.talkers()).as(seed).hasSizeLessThanOrEqualTo(SIZE);
		Map<String, Long> listed = new HashMap<>();
		for (Talker talker : list.talkers()) {
			long count = exact.getOrDefault(talker.key(), 0L);
			assertThat(count).as(talker + ", " + seed).isBetween(talker.count() - talker.error(), talker.count());
			assertThat(talker.error()).as(talker + ", " + seed).isBetween(0L, largestError);
			listed.put(talker.key(), talker.count());
		}
		exact.forEach((key, count) -> {
			if (count > list.total() / (double) SIZE) {
				assertThat(listed).as(seed).containsKey(key);
			}
		});
	}

	@Test
	void summaryOfFewKeysIsExact() {
		List<String> keys = Streams.IN_TURN.keys(CALLS, this.random)
			.stream()
			.filter((key) -> !key.equals("turn0"))
			.toList();
		TalkerList list = merged(List.of(keys, keys));
		assertThat(list.talkers()).hasSize(SIZE).allMatch((talker) -> talker.error() == 0);
		Map<String, Long> exact = Streams.counts(keys);
		assertThat(list.talkers()).allMatch((talker) -> talker.count() == 2 * exact.get(talker.key()));
	}

	@Test
	void keyThatAFullSummaryLacksMayHaveOccurredThere() {
		SpaceSaving full = new SpaceSaving(2);
		List.of("a", "a", "a", "b", "b").forEach((key) -> full.add(StoredKey.of(key), 1));
		SpaceSaving other = new SpaceSaving(2);
		other.add(StoredKey.of("c"), 1);
		TalkerMerge merge = new TalkerMerge();
		merge.add(window(full), 0);
		merge.add(window(other), 0);
		assertThat(merge.largest(9).talkers()).containsExactly(new Talker("a", 3, 0), new Talker("c", 3, 2),
				new Talker("b", 2, 0));
	}

	private static TalkerList merged(List<List<String>> instances) {
		TalkerMerge merge = new TalkerMerge();
		for (List<String> keys : instances) {
			SpaceSaving summary = new SpaceSaving(SIZE);
			for (int from = 0; from < keys.size(); from += TOGETHER) {
				Streams.counts(keys.subList(from, Math.min(keys.size(), from + TOGETHER)))
					.forEach((key, times) -> summary.add(StoredKey.of(key), times));
			}
			merge.add(window(summary), 0);
		}
		return merge.largest(SIZE);
	}

	private static ByteBuffer window(SpaceSaving summary) {
		byte[] encoded = summary.encode();
		return ByteBuffer.allocate(Long.BYTES + encoded.length).putLong(0).put(encoded).flip();
	}

}
