package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.Collections;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Equal calls in a batch, which scripts take together as far as they fit.
 */
@Tag("every-redis")
class EqualCallsTests {

	private final RedisStoreUnderTest redis = new RedisStoreUnderTest();

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WARM_UP")
	void intervalAdmitsTheFirst(AlgorithmUnderTest algorithm) {
		Limit limit = algorithm.limit(9, Duration.ofMinutes(1)).withMinInterval(Duration.ofSeconds(1));
		Demands call = new Demand(RateLimitRule.named("rule").limit(limit).build(), AlgorithmOnStore.freshKey(), 1);
		this.redis.setClock(AlgorithmOnStore.NOW);
		assertThat(this.redis.answersTogether(Collections.nCopies(3, call))).extracting(StoreAnswer::isAdmitted)
			.containsExactly(true, false, false);
	}

}
