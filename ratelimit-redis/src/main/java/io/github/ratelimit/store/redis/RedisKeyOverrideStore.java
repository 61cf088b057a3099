package io.github.ratelimit.store.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.override.KeyOverrideChanges;
import io.github.ratelimit.override.KeyOverrideStore;
import io.github.ratelimit.override.KeyOverrideText;
import io.github.ratelimit.override.RecordedChange;

/**
 * Store of overrides of keys in Redis, beside those of rules and with their channel: a
 * hash per rule, read in pages, and a list of the latest changes. Each change has a
 * random identifier. An instance reads everything if its newest change is not in the
 * list, because Redis has lost its data for example.
 */
final class RedisKeyOverrideStore implements KeyOverrideStore {

	private static final Logger logger = System.getLogger(RedisKeyOverrideStore.class.getName());

	private static final Script CHANGES = Script.of(Script.read("key-override-changes"));

	private static final Script READ = Script.of(Script.read("read-key-overrides"));

	private static final Script FIND = Script.of(Script.read("find-key-overrides"));

	private static final Script REPLACE = Script
		.of(RedisOverrideStore.NOTE_CHANGE + Script.read("replace-key-override"));

	private static final Script REMOVE_ENDED = Script.of(Script.read("remove-ended-overrides"));

	private static final int PAGE = 500;

	private static final int REMEMBERED_CHANGES = 1_000;

	private static final int CHANGES_FOLLOW = 1;

	private static final int UNKNOWN = 2;

	private static final String DONE = "done";

	private final ScriptRunner runner;

	private final BlockingWait waiting;

	private final RedisKeys keys;

	private final Sharding sharding;

	private final LongSupplier clock;

	private final AtomicBoolean publishFailureLogged = new AtomicBoolean();

	/**
	 * Create a new store.
	 * @param runner runs its scripts
	 * @param waiting waits for replies
	 * @param keys the names of hashes, list and channel
	 * @param clock the time in microseconds; 0 for the time of the Redis server
	 */
	RedisKeyOverrideStore(ScriptRunner runner, BlockingWait waiting, RedisKeys keys, Sharding sharding,
			LongSupplier clock) {
		this.runner = runner;
		this.sharding = sharding;
		this.waiting = waiting;
		this.keys = keys;
		this.clock = clock;
	}

	@Override
	public KeyOverrideChanges changes(String knownVersion) {
		ByteBuffer reply = run(CHANGES, new byte[][] { this.keys.keyOverrideChanges() }, now(), knownVersion);
		long seconds = Integer.toUnsignedLong(reply.getInt());
		long time = seconds * 1_000_000 + reply.getInt();
		int kind = reply.get();
		String version = text(reply);
		Map<String, Set<String>> changed = new TreeMap<>();
		while (kind == CHANGES_FOLLOW && reply.hasRemaining()) {
			String change = text(reply);
			int rule = change.indexOf(' ') + 1;
			int key = change.indexOf(':', rule) + 1;
			if (key == 0) { // no change of ours: read everything
				return new KeyOverrideChanges(time, version, null);
			}
			changed.computeIfAbsent(change.substring(rule, key - 1), (name) -> new HashSet<>())
				.add(change.substring(key));
		}
		return new KeyOverrideChanges(time, version, (kind == UNKNOWN) ? null : changed);
	}

	@Override
	public Map<String, String> read(String rule) {
		Map<String, String> texts = new HashMap<>();
		String cursor = "0";
		do {
			ByteBuffer reply = run(READ, ofRule(rule), cursor, String.valueOf(PAGE));
			cursor = text(reply);
			addTo(texts, reply);
		}
		while (!cursor.equals("0"));
		return texts;
	}

	@Override
	public Map<String, String> read(String rule, Collection<String> keys) {
		Map<String, String> texts = new HashMap<>();
		inPages(keys, (page) -> addTo(texts, run(FIND, ofRule(rule), page)));
		return texts;
	}

	private static void addTo(Map<String, String> texts, ByteBuffer reply) {
		while (reply.hasRemaining()) {
			texts.put(text(reply), text(reply));
		}
	}

	@Override
	public void removeEnded(String rule, Collection<String> keys) {
		inPages(keys, (page) -> {
			List<String> arguments = new ArrayList<>(List.of(page));
			arguments.add(0, now());
			run(REMOVE_ENDED, ofRule(rule), arguments.toArray(String[]::new));
		});
	}

	private static void inPages(Collection<String> keys, Consumer<String[]> action) {
		List<String> all = List.copyOf(keys);
		IntStream.iterate(0, (i) -> i < all.size(), (i) -> i + PAGE)
			.forEach((i) -> action.accept(all.subList(i, Math.min(i + PAGE, all.size())).toArray(String[]::new)));
	}

	/**
	 * Replace the text of a key. Programs call this, so it treats their threads like any
	 * other call of a limiter does.
	 */
	@Override
	public Result replace(String rule, String key, @Nullable String expected, @Nullable KeyOverrideText change,
			String changedBy) {
		this.waiting.check(rule);
		byte[][] names = { this.keys.history(), this.keys.keyOverrides(rule), this.keys.keyOverrideChanges() };
		CompletableFuture<byte[]> replied = send(REPLACE, names, key, (expected != null) ? expected : "*",
				(change != null) ? change.words() : "",
				(change != null && change.lasting() != null) ? String.valueOf(change.lasting().toMillis()) : "",
				(change != null && change.until() != null) ? String.valueOf(change.until().toEpochMilli()) : "",
				String.valueOf(MOST_PER_RULE), String.valueOf(REMEMBERED_CHANGES), UUID.randomUUID().toString(), rule,
				new String(this.keys.overrides(), StandardCharsets.UTF_8), now(), RecordedChange.nameOf(changedBy));
		String reply = new String(this.waiting.await(rule, replied), StandardCharsets.UTF_8);
		return switch (reply) {
			case "conflict" -> Result.CONFLICT;
			case "absent" -> Result.ABSENT;
			case "full" -> Result.FULL;
			default -> {
				warnOnce(reply.substring(DONE.length()));
				yield Result.DONE;
			}
		};
	}

	private void warnOnce(String publishFailure) {
		if (!publishFailure.isEmpty() && this.publishFailureLogged.compareAndSet(false, true)) {
			logger.log(Level.WARNING, "Redis stores overrides of keys, but does not publish them (" + publishFailure
					+ "), so other instances see them a little later. " + RedisError.NOPERM.remedy());
		}
	}

	private String now() {
		return String.valueOf(this.clock.getAsLong());
	}

	private byte[][] ofRule(String rule) {
		return new byte[][] { this.keys.keyOverrides(rule) };
	}

	private ByteBuffer run(Script script, byte[][] names, String... arguments) {
		return ByteBuffer.wrap(this.waiting.await(send(script, names, arguments)));
	}

	private CompletableFuture<byte[]> send(Script script, byte[][] names, String... arguments) {
		byte[][] encoded = new byte[arguments.length][];
		for (int i = 0; i < arguments.length; i++) {
			encoded[i] = arguments[i].getBytes(StandardCharsets.UTF_8);
		}
		return this.sharding.whenKnown(
				() -> this.runner.run(script, this.sharding.reach().routed(this.keys.overrides(), names), encoded));
	}

	private static String text(ByteBuffer reply) {
		byte[] bytes = new byte[reply.getInt()];
		reply.get(bytes);
		return new String(bytes, StandardCharsets.UTF_8);
	}

	@Override
	public boolean isShared() {
		return true;
	}

}
