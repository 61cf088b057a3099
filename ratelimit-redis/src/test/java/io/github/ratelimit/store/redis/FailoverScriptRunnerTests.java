package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Scripts while sentinels replace the master.
 */
class FailoverScriptRunnerTests {

	private static final List<RedisNode> SENTINELS = List.of(new RedisNode("a", 1), new RedisNode("b", 2),
			new RedisNode("c", 3));

	private static final byte[] ON_REPLICA = { 1 };

	private static final String CHANGE = "primary 10.0.0.1 6379 10.0.0.2 6379";

	private final List<CompletableFuture<Void>> connects = new ArrayList<>();

	private final CompletableFuture<Void> replicaConnected = new CompletableFuture<>();

	private final CompletableFuture<Void> replicaClosed = new CompletableFuture<>();

	private final PromotedReplica replica = new PromotedReplica(new OnReplica(),
			() -> this.replicaClosed.complete(null));

	private final List<Scheduled> timers = new ArrayList<>();

	private boolean withoutTimer;

	private boolean withoutThread;

	private final FailoverScriptRunner runner = new FailoverScriptRunner(new Connecting(),
			new SentinelEvents(sentinels(), (address) -> {
				throw new IllegalStateException();
			}, (address) -> {
				throw new IllegalStateException();
			}), this::schedule, this::execute);

	private void schedule(Runnable task, long nanoseconds) {
		if (this.withoutTimer) {
			throw new OutOfMemoryError("unable to create native thread");
		}
		this.timers.add(new Scheduled(task, Duration.ofNanos(nanoseconds)));
	}

	private void execute(Runnable work) {
		if (this.withoutThread) {
			throw new OutOfMemoryError("unable to create native thread");
		}
		new Thread(work).start();
	}

	private static RedisSentinelConfiguration sentinels() {
		RedisSentinelConfiguration sentinels = new RedisSentinelConfiguration().master("primary");
		SENTINELS.forEach(sentinels::addSentinel);
		return sentinels;
	}

	@Test
	void noScriptRunsFromThePromotionUntilTheNewMasterIsConnected() {
		assertThat(runs()).isTrue();
		promoting();
		assertThat(runs()).isFalse();
		switched(0);
		switched(1);
		assertThat(this.connects).as("the client may ask the third sentinel").isEmpty();
		assertThat(this.runner.connect()).as("connects to the replica").isNotDone();
		switched(2);
		assertThat(runs()).isFalse();
		this.connects.get(0).complete(null);
		assertThat(runs()).isTrue();
		this.timers.forEach((timer) -> timer.task.run());
		assertThat(this.connects).hasSize(1);
		assertThat(runs()).isTrue();
	}

	@Test
	void scriptsRunOnThePromotedReplicaUntilTheClientIsConnectedToIt() {
		this.runner.promoting(() -> this.replica);
		assertThat(runs()).isFalse();
		this.replicaConnected.complete(null);
		assertThat(this.runner.run(null, null, null)).isCompletedWithValue(ON_REPLICA);
		SENTINELS.forEach((sentinel) -> this.runner.switched(sentinel, CHANGE));
		assertThat(this.runner.run(null, null, null)).isCompletedWithValue(ON_REPLICA);
		this.connects.get(0).complete(null);
		assertThat(this.runner.run(null, null, null)).isCompletedWithValueMatching((reply) -> reply != ON_REPLICA);
		assertThat(this.replicaClosed).as("calls may be under way").isNotDone();
		last().task.run();
		assertThat(this.replicaClosed).succeedsWithin(Duration.ofSeconds(10));
	}

	@Test
	void replicaOfAnAbortedPromotionIsLeft() {
		this.runner.promoting(() -> {
			this.runner.aborted();
			this.connects.get(0).complete(null);
			return this.replica;
		});
		this.replicaConnected.complete(null);
		assertThat(this.runner.run(null, null, null)).isCompletedWithValueMatching((reply) -> reply != ON_REPLICA);
		last().task.run();
		assertThat(this.replicaClosed).succeedsWithin(Duration.ofSeconds(10));
	}

	@Test
	void replicaIsClosedWithTheRunner() {
		this.runner.promoting(() -> this.replica);
		this.runner.close();
		assertThat(this.replicaClosed).succeedsWithin(Duration.ofSeconds(10));
	}

	@Test
	void pausedRunnerClosesTheReplicaAndForgetsTheFailover() {
		promoting();
		this.runner.pause();
		assertThat(this.replicaClosed).isDone();
		switched(0);
		List.copyOf(this.timers).forEach((timer) -> timer.task.run());
		assertThat(this.connects).isEmpty();
		this.runner.resume();
		assertThat(runs()).isTrue();
	}

	@Test
	void pausedRunnerClosesAReplicaThatMayStillAnswerCalls() {
		promoting();
		SENTINELS.forEach((sentinel) -> this.runner.switched(sentinel, CHANGE));
		this.connects.get(0).complete(null);
		assertThat(this.replicaClosed).isNotDone();
		this.runner.pause();
		assertThat(this.replicaClosed).isDone();
	}

	@Test
	void replicaOfAPromotionDuringAPauseIsClosed() {
		this.runner.promoting(() -> {
			this.runner.pause();
			return this.replica;
		});
		assertThat(this.replicaClosed).succeedsWithin(Duration.ofSeconds(10));
	}

	@Test
	void resumedRunnerFollowsTheNextFailover() {
		this.runner.pause();
		promoting();
		assertThat(runs()).as("not heard").isTrue();
		this.runner.resume();
		promoting();
		assertThat(runs()).isFalse();
		SENTINELS.forEach((sentinel) -> this.runner.switched(sentinel, CHANGE));
		this.connects.get(0).complete(null);
		assertThat(runs()).isTrue();
	}

	@Test
	void sentinelThatIsSilentIsWaitedForBriefly() {
		promoting();
		switched(0);
		assertThat(last().delay).isEqualTo(FailoverScriptRunner.AGREEMENT);
		last().task.run();
		this.connects.get(0).complete(null);
		assertThat(runs()).isTrue();
		switched(2);
		assertThat(this.connects).as("it may have named the old master").hasSize(2);
		assertThat(runs()).isTrue();
	}

	@Test
	void sentinelThatLearnsOfTheNewMasterDuringAConnectMayHaveNamedTheOldOne() {
		switched(0);
		last().task.run();
		switched(1);
		this.connects.get(0).complete(null);
		assertThat(runs()).isFalse();
		this.connects.get(1).complete(null);
		assertThat(runs()).isTrue();
	}

	@Test
	void callWhileTheMasterIsReplacedFails() {
		promoting();
		ScriptCall call = new ScriptCall(null, null, null, (late) -> {
		}, true);
		assertThat(this.runner.run(call)).isSameAs(call.reply()).isCompletedExceptionally();
	}

	@Test
	void switchWithoutPromotionSuspendsScriptsToo() {
		switched(0);
		assertThat(runs()).isFalse();
		switched(1);
		switched(2);
		this.connects.get(0).complete(null);
		assertThat(runs()).isTrue();
	}

	@Test
	void abortedPromotionEndsAtOnce() {
		this.runner.aborted();
		promoting();
		this.runner.aborted();
		this.connects.get(0).complete(null);
		assertThat(runs()).isTrue();
	}

	@Test
	void promotionThatNoSentinelReportsEnds() {
		promoting();
		assertThat(last().delay).isEqualTo(FailoverScriptRunner.PROMOTION);
		last().task.run();
		this.connects.get(0).complete(null);
		assertThat(runs()).isTrue();
	}

	@Test
	void connectThatFailsIsRepeated() {
		promoting();
		this.runner.aborted();
		this.connects.get(0).completeExceptionally(new RedisConnectionFailureException("refused"));
		assertThat(last().delay).isEqualTo(FailoverScriptRunner.PAUSE);
		assertThat(runs()).isFalse();
		last().task.run();
		this.connects.get(1).complete(null);
		assertThat(runs()).isTrue();
	}

	@Test
	void failoverEndsIfThereIsNoTimerToConnectOnceMore() {
		promoting();
		this.withoutTimer = true;
		this.runner.aborted();
		this.connects.get(0).completeExceptionally(new RedisConnectionFailureException("refused"));
		assertThat(runs()).isTrue();
		assertThat(this.replicaClosed).succeedsWithin(Duration.ofSeconds(10));
	}

	@Test
	void replicaThatNoThreadCanCloseIsClosedLater() {
		promoting();
		SENTINELS.forEach((sentinel) -> this.runner.switched(sentinel, CHANGE));
		this.connects.get(0).complete(null);
		this.withoutThread = true;
		int timers = this.timers.size();
		last().task.run();
		assertThat(this.timers).hasSize(timers + 1);
		assertThat(this.replicaClosed).isNotDone();
		this.withoutThread = false;
		last().task.run();
		assertThat(this.replicaClosed).succeedsWithin(Duration.ofSeconds(10));
	}

	@Test
	void failoverEndsIfThereIsNoTimerToEndIt() {
		this.withoutTimer = true;
		promoting();
		assertThat(runs()).isFalse();
		this.connects.get(0).complete(null);
		assertThat(runs()).isTrue();
	}

	@Test
	void secondFailoverDuringTheFirstWins() {
		SENTINELS.forEach((sentinel) -> this.runner.switched(sentinel, CHANGE));
		this.runner.switched(SENTINELS.get(0), "primary 10.0.0.2 6379 10.0.0.1 6379");
		this.connects.get(0).complete(null);
		assertThat(runs()).isFalse();
		last().task.run();
		this.connects.get(1).complete(null);
		assertThat(runs()).isTrue();
	}

	@Test
	void closedRunnerConnectsNoMore() {
		promoting();
		this.runner.close();
		last().task.run();
		assertThat(this.connects).isEmpty();
	}

	private void switched(int sentinel) {
		this.runner.switched(SENTINELS.get(sentinel), CHANGE);
	}

	private Scheduled last() {
		return this.timers.get(this.timers.size() - 1);
	}

	private boolean runs() {
		return !this.runner.run(null, null, null).isCompletedExceptionally();
	}

	private void promoting() {
		this.runner.promoting(() -> this.replica);
	}

	private record Scheduled(Runnable task, Duration delay) {

	}

	/**
	 * Runner of scripts on the replica.
	 */
	private final class OnReplica implements ScriptRunner {

		@Override
		public CompletableFuture<Void> connect() {
			return FailoverScriptRunnerTests.this.replicaConnected;
		}

		@Override
		public CompletableFuture<byte[]> run(ScriptCall call) {
			return CompletableFuture.completedFuture(ON_REPLICA);
		}

	}

	/**
	 * Runner whose connects complete when a test completes them.
	 */
	private final class Connecting implements ScriptRunner {

		@Override
		public CompletableFuture<Void> connect() {
			CompletableFuture<Void> connect = new CompletableFuture<>();
			FailoverScriptRunnerTests.this.connects.add(connect);
			return connect;
		}

		@Override
		public CompletableFuture<byte[]> run(ScriptCall call) {
			return CompletableFuture.completedFuture(new byte[0]);
		}

	}

}
