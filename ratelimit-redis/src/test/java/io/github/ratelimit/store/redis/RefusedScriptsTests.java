package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.lettuce.core.RedisCommandExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Sharding#untilAccepted}.
 */
class RefusedScriptsTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final String TRYAGAIN = "TRYAGAIN Multiple keys";

	private static final String CROSSSLOT = "CROSSSLOT Keys in request don't hash to the same slot";

	private final AtomicInteger sent = new AtomicInteger();

	private final List<ScriptReach> divided = new ArrayList<>();

	private boolean hasSeveralKeys;

	private final Sharding sharding = new Sharding(
			(call) -> CompletableFuture.failedFuture(new UnsupportedOperationException()), "test", RedisSharding.NONE);

	@Test
	void scriptThatAMovingSlotRefusesIsRepeated() {
		assertThat(run(() -> (this.sent.incrementAndGet() < 3) ? failed(TRYAGAIN) : replied(), PATIENCE))
			.succeedsWithin(PATIENCE);
		assertThat(this.sent).hasValue(3);
	}

	@ParameterizedTest
	@ValueSource(strings = { TRYAGAIN, CROSSSLOT })
	void callsOfSeveralKeysAreDividedAtOnce(String reply) {
		this.hasSeveralKeys = true;
		assertThat(run(() -> refused(reply), PATIENCE)).isCompleted();
		assertThat(this.divided).hasSize(1);
		assertThat(this.sent).hasValue(1);
	}

	@Test
	void scriptThatIsRefusedForTooLongFails() {
		assertThat(run(() -> refused(TRYAGAIN), Sharding.PAUSE.multipliedBy(3))).failsWithin(PATIENCE);
		assertThat(this.sent).hasValue(4);
	}

	@Test
	void otherFailureIsNotRepeated() {
		assertThat(run(() -> refused("READONLY no"), PATIENCE)).isCompletedExceptionally();
		assertThat(this.sent).hasValue(1);
	}

	@Test
	void scriptThatAClusterRefusesIsSentByASmallerReachUntilThereIsNone() {
		this.hasSeveralKeys = true;
		assertThat(run(() -> refused(CROSSSLOT), PATIENCE)).isCompleted();
		assertThat(run(() -> refused(CROSSSLOT), PATIENCE)).isCompleted();
		assertThat(run(() -> refused(CROSSSLOT), PATIENCE)).isCompletedExceptionally();
		assertThat(this.divided).containsExactly(ScriptReach.HASH_SLOT, ScriptReach.RULE_AND_KEY);
		assertThat(this.sent).hasValue(3);
	}

	@Test
	void scriptThatWasSentBeforeTheReachWasKnownDoesNotReduceItFurther() {
		this.hasSeveralKeys = true;
		CompletableFuture<byte[]> reply = new CompletableFuture<>();
		CompletableFuture<byte[]> first = run(() -> reply, PATIENCE);
		assertThat(run(() -> refused(CROSSSLOT), PATIENCE)).isCompleted();
		reply.completeExceptionally(new RedisCommandExecutionException(CROSSSLOT));
		assertThat(first).isCompleted();
		assertThat(this.divided).containsExactly(ScriptReach.HASH_SLOT, ScriptReach.HASH_SLOT);
	}

	private CompletableFuture<byte[]> run(Supplier<CompletableFuture<byte[]>> script, Duration patience) {
		return this.sharding.untilAccepted(script, () -> {
			this.divided.add(this.sharding.reach());
			return this.hasSeveralKeys ? replied() : null;
		}, patience);
	}

	private CompletableFuture<byte[]> refused(String reply) {
		this.sent.incrementAndGet();
		return failed(reply);
	}

	private static CompletableFuture<byte[]> failed(String reply) {
		return CompletableFuture.failedFuture(new RedisCommandExecutionException(reply));
	}

	private static CompletableFuture<byte[]> replied() {
		return CompletableFuture.completedFuture(new byte[0]);
	}

}
