package io.github.ratelimit.store.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import io.github.ratelimit.Ban;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.override.OverrideChanges;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.override.OverrideText;
import io.github.ratelimit.redis.process.RedisOptions;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.FigureStore;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

/**
 * A Redis with a password or with users. The user that the documentation describes has
 * all permissions that are needed, and no others.
 */
class RedisUsersTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final String KEY = "someone";

	/**
	 * Commands without which changes are seen later, see {@code RedisOverrideStoreTests}.
	 */
	private static final List<String> TO_ANNOUNCE_CHANGES = List.of("publish", "subscribe", "unsubscribe");

	/**
	 * Commands without which bans are not listed, see below.
	 */
	private static final List<String> TO_LIST_BANS = List.of("zadd", "zremrangebyscore", "zremrangebyrank");

	private static final String TO_SELECT_A_DATABASE = "select";

	private static final String TO_CHECK_A_CONNECTION = "ping";

	/**
	 * Commands that are needed when an instance with slots has died, or Redis has failed
	 * over.
	 */
	private static final List<String> TO_NOTICE_THE_END_OF_OTHERS = List.of("hkeys", "hgetall", "info");

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.store.redis.ClientOnRedis#all")
	void documentedUserCanDoEverythingThatIsNeeded(ClientOnRedis on) {
		try (RedisProcess redis = on.start()) {
			redis.command(documentedUser());
			withStore(on, redis, "ratelimit", "secret", (store) -> assertThatCode(() -> {
				store.connect();
				useEverything(store);
			}).doesNotThrowAnyException());
		}
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.store.redis.ClientOnRedis#all")
	void documentedUserMaySelectADatabase(ClientOnRedis on) {
		try (RedisProcess redis = on.start()) {
			redis.command(documentedUser());
			RedisStandaloneConfiguration server = server(redis, "ratelimit", "secret");
			server.setDatabase(3);
			withStore(on.client().connections(server), (store) -> assertThatCode(() -> {
				store.connect();
				useEverything(store);
			}).doesNotThrowAnyException());
			assertThat(redis.command("DBSIZE")).isEqualTo(0L);
			redis.command("ACL", "SETUSER", "ratelimit", "-" + TO_SELECT_A_DATABASE);
			// Lettuce sometimes loses the refusal while it shakes hands
			withStore(on.client().connections(server), (store) -> await().atMost(PATIENCE)
				.untilAsserted(() -> assertIsMistake(TO_SELECT_A_DATABASE, catchThrowableOfType(StoreException.class,
						() -> store.acquire(new Demand(ruleWithBan(), KEY, 1))))));
		}
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.store.redis.ClientOnRedis#all")
	void documentedUserMayCheckAConnectionAsAPoolDoes(ClientOnRedis on) {
		try (RedisProcess redis = on.start()) {
			redis.command(documentedUser());
			RedisConnectionFactory connections = connections(on, redis, "ratelimit", "secret");
			try (RedisConnection connection = connections.getConnection()) {
				assertThat(connection.ping()).isEqualTo("PONG");
			}
			RunnerUnderTest.destroy(connections);
		}
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.store.redis.ClientOnRedis#all")
	void documentedUserListsBans(ClientOnRedis on) {
		try (RedisProcess redis = on.start()) {
			redis.command(documentedUser());
			withStore(on, redis, "ratelimit", "secret", (store) -> {
				RateLimitRule rule = ruleWithBan();
				Demand demand = new Demand(rule, KEY, 1);
				store.acquire(demand);
				store.acquire(demand);
				await().atMost(PATIENCE).until(() -> store.bans(demand.counts()).size() == 1);
				store.reset(demand.counts(), demand.key());
				await().atMost(PATIENCE).until(() -> store.bans(demand.counts()).isEmpty());
			});
		}
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.store.redis.ClientOnRedis#all")
	void bansAreInForceAlsoIfTheyCannotBeListed(ClientOnRedis on) {
		try (RedisProcess redis = on.start()) {
			redis.command(documentedUser());
			redis.command("ACL", "SETUSER", "ratelimit", "-zadd");
			withStore(on, redis, "ratelimit", "secret", (store) -> {
				Demand demand = new Demand(ruleWithBan(), KEY, 1);
				store.acquire(demand);
				assertThat(store.acquire(demand).violated()).containsExactly("login", "login-ban");
				assertThat(store.acquire(demand).violated()).containsExactly("login-ban");
				store.reset(demand.counts(), demand.key());
				assertThat(store.acquire(demand).isAdmitted()).isTrue();
			});
		}
	}

	private static RateLimitRule ruleWithBan() {
		return RateLimitRule.named("login")
			.limit(limit(AlgorithmUnderTest.SLIDING_LOG).withMax(1))
			.ban(new Ban(1, Duration.ofMinutes(1), Duration.ofHours(1)))
			.build();
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.store.redis.ClientOnRedis#all")
	void documentedUserIsNotifiedOfChangesOfRules(ClientOnRedis on) {
		try (RedisProcess redis = on.start()) {
			redis.command(documentedUser());
			RedisConnectionFactory connections = connections(on, redis, "ratelimit", "secret");
			withStore(on, redis, "ratelimit", "secret", (store) -> {
				AtomicInteger notified = new AtomicInteger();
				try (OverrideStore overrides = store.overrides(connections)) {
					overrides.listen(notified::incrementAndGet);
					await().atMost(PATIENCE).until(() -> {
						use(overrides);
						return notified.get() > 0;
					});
				}
			});
			RunnerUnderTest.destroy(connections);
		}
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.store.redis.ClientOnRedis#all")
	void withoutOneOfItsCommandsSomethingIsNotPermitted(ClientOnRedis on) {
		try (RedisProcess redis = on.start()) {
			redis.command(documentedUser());
			withStore(on, redis, "ratelimit", "secret", (store) -> {
				for (String command : documentedCommands()) {
					if (TO_ANNOUNCE_CHANGES.contains(command) || TO_LIST_BANS.contains(command)
							|| TO_NOTICE_THE_END_OF_OTHERS.contains(command)
							|| List.of(TO_SELECT_A_DATABASE, TO_CHECK_A_CONNECTION).contains(command)) {
						continue;
					}
					redis.command(documentedUser());
					redis.command("ACL", "SETUSER", "ratelimit", "-" + command);
					redis.command("SCRIPT", "FLUSH");
					assertIsMistake(command, catchThrowableOfType(StoreException.class, () -> useEverything(store)));
				}
			});
		}
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.store.redis.ClientOnRedis#all")
	void keysWithAnotherPrefixAreNotPermitted(ClientOnRedis on) {
		try (RedisProcess redis = on.start()) {
			redis.command(documentedUser());
			redis.command("ACL", "SETUSER", "ratelimit", "resetkeys", "~limits:*");
			withStore(on, redis, "ratelimit", "secret", (store) -> assertIsMistake("key",
					catchThrowableOfType(StoreException.class, () -> useEverything(store))));
		}
	}

	private static void assertIsMistake(String what, StoreException failure) {
		assertThat(failure).as(what).isNotNull().hasMessageNotContaining(KEY);
		assertThat(failure.reason()).as(what + ": " + failure.getMessage()).isEqualTo("noperm");
		assertThat(failure.isOutage()).as(what).isFalse();
		assertThat(failure.remedy()).as(what).contains("docs/redis.md");
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.store.redis.ClientOnRedis#all")
	void passwordAloneIsEnough(ClientOnRedis on) {
		try (RedisProcess redis = on.start(RedisOptions.none().withPassword("secret"))) {
			withStore(on, redis, null, "secret",
					(store) -> assertThatCode(() -> useEverything(store)).doesNotThrowAnyException());
		}
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.store.redis.ClientOnRedis#all")
	void wrongPasswordIsAnOutageWithARemedy(ClientOnRedis on) {
		try (RedisProcess redis = on.start(RedisOptions.none().withUser("someone", "secret"))) {
			withStore(on, redis, "someone", "guessed", (store) -> assertIsOutage(store, "wrongpass"));
		}
		try (RedisProcess redis = on.start(RedisOptions.none().withPassword("secret"))) {
			withStore(on, redis, null, "guessed", (store) -> assertIsOutage(store, "wrongpass"));
		}
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.store.redis.ClientOnRedis#all")
	void missingPasswordIsAnOutageWithARemedy(ClientOnRedis on) {
		try (RedisProcess redis = on.start(RedisOptions.none().withPassword("secret"))) {
			withStore(on, redis, null, null, (store) -> assertIsOutage(store, "noauth"));
		}
	}

	private static void assertIsOutage(RedisRateLimitStore store, String reason) {
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> useEverything(store))
			.satisfies((failure) -> assertThat(failure.reason()).as(failure.getMessage()).isEqualTo(reason))
			.satisfies((failure) -> assertThat(failure.isOutage()).isTrue())
			.satisfies((failure) -> assertThat(failure.remedy()).contains("spring.data.redis.password"))
			.withMessageNotContainingAny("guessed", "secret");
	}

	/**
	 * Use every operation of the store, with every algorithm.
	 */
	static void useEverything(RedisRateLimitStore store) {
		Stream
			.concat(Stream.of(AlgorithmUnderTest.values()).map((algorithm) -> limit(algorithm)),
					AlgorithmUnderTest.thatCanCountDenied().map((algorithm) -> limit(algorithm).withCountDenied(true)))
			.forEach((limit) -> use(store, RateLimitRule.named("rule").limit(limit).build()));
		RateLimitRule slots = RateLimitRule.named("running").limit(Limit.ofConcurrency(100)).build();
		Demand running = new Demand(slots, KEY, 1);
		store.acquire(running);
		store.acquire(new Demand(slots, KEY, 1)); // whose slot stays held
		AlgorithmOnStore.correct(store, List.of(Correction.refund(running.withCost(0), Correction.NEWEST)));
		try (OverrideStore overrides = store.overrides(mock(RedisConnectionFactory.class))) {
			use(overrides);
		}
		store.bans(RuleCounts.of(ruleWithBan()));
	}

	private static void use(OverrideStore overrides) {
		OverrideText blocked = new OverrideText("blocked", Duration.ofSeconds(9), null);
		overrides.replace(OverrideStore.RULES, "rule", null, new OverrideText("max=5"), "ann");
		overrides.replace("rule", KEY, null, blocked, "ann");
		OverrideChanges changes = overrides.changes("");
		overrides.replace("rule", KEY, null, blocked, "ann");
		overrides.changes(changes.keysVersion());
		overrides.read(OverrideStore.RULES);
		overrides.read("rule");
		overrides.replace("rule", KEY, null, null, "ann");
		overrides.replace(OverrideStore.RULES, "rule", "max=5", null, "ann");
		overrides.latestChanges();
		FigureStore figures = Objects.requireNonNull(overrides.figures()).get();
		String candidate = "tight-" + UUID.randomUUID();
		figures.add("rule", candidate, new FigureStore.Added("a", 0, 0, 0),
				new FigureStore.Figures(2_000, 3, 2, 1, new byte[] { 0, 7, 1 }));
		assertThat(figures.add("rule", candidate, new FigureStore.Added("b", 0, 0, 0),
				new FigureStore.Figures(1_000, 1, 1, 0, new byte[0])))
			.extracting(FigureStore.Figures::since, FigureStore.Figures::calls, FigureStore.Figures::denied,
					FigureStore.Figures::liveDenied)
			.containsExactly(1_000L, 4L, 3L, 1L);
	}

	private static Limit limit(AlgorithmUnderTest algorithm) {
		return algorithm.limit(100, Duration.ofMinutes(1));
	}

	private static void use(RedisRateLimitStore store, RateLimitRule rule) {
		Demand demand = new Demand(rule, KEY, 1);
		store.reset(RuleCounts.of(rule), StoredKey.of(KEY));
		for (long cost : new long[] { 1, 70, 1, 100, 0 }) {
			store.acquire(new Demand(rule, KEY, cost));
		}
		for (long cost : new long[] { 2, 100 }) {
			AlgorithmOnStore.correct(store, List.of(Correction.refund(new Demand(rule, KEY, cost), Correction.NEWEST)));
			store.acquire(demand);
		}
		store.correct(List.of(Correction.charge(rule, KEY, List.of(3L)))).toCompletableFuture().join();
		join(store.probe(demand));
	}

	private static void join(CompletionStage<Void> done) {
		try {
			done.toCompletableFuture().join();
		}
		catch (CompletionException ex) {
			throw (StoreException) ex.getCause();
		}
	}

	private static void withStore(ClientOnRedis on, RedisProcess redis, String user, String password,
			Consumer<RedisRateLimitStore> test) {
		withStore(connections(on, redis, user, password), test);
	}

	static void withStore(RedisConnectionFactory connections, Consumer<RedisRateLimitStore> test) {
		RunnerUnderTest.withStore(connections, "ratelimit", PATIENCE, test);
	}

	private static RedisConnectionFactory connections(ClientOnRedis on, RedisProcess redis, String user,
			String password) {
		return on.client().connections(server(redis, user, password));
	}

	private static RedisStandaloneConfiguration server(RedisProcess redis, String user, String password) {
		RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(redis.host(), redis.port());
		server.setUsername(user);
		server.setPassword((password != null) ? RedisPassword.of(password) : RedisPassword.none());
		return server;
	}

	static String[] documentedUser() {
		try (Stream<String> lines = Files.lines(Path.of("../docs/redis.md"))) {
			return lines.filter((line) -> line.startsWith("ACL SETUSER ratelimit "))
				.findFirst()
				.orElseThrow()
				.split(" ");
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static List<String> documentedCommands() {
		return Stream.of(documentedUser())
			.filter((word) -> word.startsWith("+"))
			.map((word) -> word.substring(1))
			.toList();
	}

}
