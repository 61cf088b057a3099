package io.github.ratelimit.store.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;

import io.github.ratelimit.override.OverrideChanges;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.override.OverrideText;
import io.github.ratelimit.override.RecordedChange;
import io.github.ratelimit.store.FigureStore;

/**
 * Store of overrides in Redis, beside the counters: a hash for all rules, one for the
 * keys of each rule, read in pages, and a channel that is named like the first and
 * announces changes. A version of the overrides of rules, and a list of the latest
 * changes of keys tell what has changed. Each change has a random identifier, since a
 * Redis that has lost its data would count from 1 again. An instance reads everything if
 * its newest change is not in the list.
 */
final class RedisOverrideStore implements OverrideStore {

	private static final Logger logger = System.getLogger(RedisOverrideStore.class.getName());

	private static final Script CHANGES = Script.of(Script.read("override-changes"));

	private static final Script READ = Script.of(Script.read("read-overrides"));

	private static final Script FIND = Script.of(Script.read("find-overrides"));

	private static final Script REPLACE = Script.of(Script.read("replace-override"));

	private static final Script REMOVE_ENDED = Script.of(Script.read("remove-ended-overrides"));

	private static final Script HISTORY = Script.of(Script.read("read-history"));

	private static final int PAGE = 500;

	private static final int REMEMBERED_CHANGES = 1_000;

	private static final int CHANGES_FOLLOW = 1;

	private static final int UNKNOWN = 2;

	private static final String VERSION = ":version";

	private static final String DONE = "done";

	private final RedisSetup setup;

	/** Runs scripts for none of the callers, and reports whether Redis answers. */
	private final ScriptRunner reportingRunner;

	private final @Nullable Supplier<RedisConnection> connections;

	private final AtomicBoolean publishFailureLogged = new AtomicBoolean();

	private @Nullable Runnable changed;

	private @Nullable RedisAnnouncements announcements;

	RedisOverrideStore(RedisSetup setup, ScriptRunner reportingRunner,
			@Nullable Supplier<RedisConnection> connections) {
		this.setup = setup;
		this.reportingRunner = reportingRunner;
		this.connections = connections;
	}

	@Override
	public OverrideChanges changes(String knownVersion) {
		ByteBuffer reply = run(CHANGES, this.setup.keys.keyOverrideChanges(), now(), knownVersion);
		long seconds = Integer.toUnsignedLong(reply.getInt());
		long time = seconds * 1_000_000 + reply.getInt();
		int kind = reply.get();
		String rulesVersion = text(reply);
		String keysVersion = text(reply);
		Map<String, Set<String>> changed = new TreeMap<>();
		while (kind == CHANGES_FOLLOW && reply.hasRemaining()) {
			String change = text(reply);
			int rule = change.indexOf(' ') + 1;
			int key = change.indexOf(':', rule) + 1;
			if (key == 0) { // no change of ours: read everything
				kind = UNKNOWN;
			}
			else {
				changed.computeIfAbsent(change.substring(rule, key - 1), (name) -> new HashSet<>())
					.add(change.substring(key));
			}
		}
		return new OverrideChanges(time, rulesVersion, keysVersion, (kind == UNKNOWN) ? null : changed);
	}

	@Override
	public Map<String, String> read(String group) {
		Map<String, String> texts = new HashMap<>();
		String cursor = "0";
		do {
			ByteBuffer reply = run(READ, hash(group), cursor, String.valueOf(PAGE));
			cursor = text(reply);
			addTo(texts, reply);
		}
		while (!cursor.equals("0"));
		if (group.equals(RULES)) {
			texts.remove(VERSION);
		}
		return texts;
	}

	@Override
	public Map<String, String> read(String group, Collection<String> names) {
		Map<String, String> texts = new HashMap<>();
		inPages(names, (page) -> addTo(texts, run(FIND, hash(group), page)));
		return texts;
	}

	private byte[] hash(String group) {
		return group.equals(RULES) ? this.setup.keys.overrides() : this.setup.keys.keyOverrides(group);
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
			run(REMOVE_ENDED, hash(rule), arguments.toArray(String[]::new));
		});
	}

	private static void inPages(Collection<String> names, Consumer<String[]> action) {
		List<String> all = List.copyOf(names);
		IntStream.iterate(0, (i) -> i < all.size(), (i) -> i + PAGE)
			.forEach((i) -> action.accept(all.subList(i, Math.min(i + PAGE, all.size())).toArray(String[]::new)));
	}

	/**
	 * Replace a text. Programs call this, so it treats their threads like any other call
	 * of a limiter does.
	 */
	@Override
	public Result replace(String group, String name, @Nullable String expected, @Nullable OverrideText change,
			String changedBy) {
		String rule = group.equals(RULES) ? name : group;
		this.setup.failures.check(rule);
		Duration lasting = (change != null) ? change.lasting() : null;
		Instant until = (change != null) ? change.until() : null;
		RedisKeys keys = this.setup.keys;
		byte[][] names = { keys.overrides(), keys.history(), keys.keyOverrideChanges(), hash(group) };
		byte[][] arguments = { RedisKeys.utf8(name), RedisKeys.utf8(Objects.toString(expected, "*")),
				encodedOtherwise(Objects.toString(expected, "")),
				RedisKeys.utf8((change != null) ? change.words() : ""),
				RedisKeys.utf8((lasting != null) ? String.valueOf(lasting.toMillis()) : ""),
				RedisKeys.utf8((until != null) ? String.valueOf(until.toEpochMilli()) : ""), RedisKeys.utf8(group),
				Arguments.number(MOST_PER_RULE), Arguments.number(REMEMBERED_CHANGES),
				RedisKeys.utf8(UUID.randomUUID().toString()), RedisKeys.utf8(now()),
				RedisKeys.utf8(RecordedChange.nameOf(changedBy)) };
		byte[] replied = this.setup.failures.await(rule, this.reportingRunner.run(REPLACE, names, arguments));
		String reply = new String(replied, StandardCharsets.UTF_8);
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
			logger.log(Level.WARNING, "Redis stores changes at run time, but does not publish them (" + publishFailure
					+ "), so other instances see them a little later. " + RedisError.NOPERM.remedy());
		}
	}

	@Override
	public List<RecordedChange> latestChanges() {
		ByteBuffer reply = run(HISTORY, this.setup.keys.history());
		List<RecordedChange> changes = new ArrayList<>();
		while (reply.hasRemaining()) {
			changes.add(RecordedChange.read(text(reply)));
		}
		return changes;
	}

	private String now() {
		return String.valueOf(this.setup.clock.getAsLong());
	}

	/**
	 * Run a script. A proxy sends it to the server of its first key, that of all
	 * overrides.
	 */
	private ByteBuffer run(Script script, byte[] key, String... arguments) {
		byte[][] encoded = new byte[arguments.length][];
		for (int i = 0; i < arguments.length; i++) {
			encoded[i] = RedisKeys.utf8(arguments[i]);
		}
		byte[][] names = { this.setup.keys.overrides(), key };
		return ByteBuffer.wrap(this.setup.failures.await(this.reportingRunner.run(script, names, encoded)));
	}

	private static String text(ByteBuffer reply) {
		byte[] bytes = new byte[reply.getInt()];
		reply.get(bytes);
		return decode(bytes);
	}

	/**
	 * Decode UTF-8. Other bytes, which another program may have written, are decoded as
	 * ISO 8859-1, so that they can still be compared and replaced.
	 */
	private static String decode(byte[] bytes) {
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
		}
		catch (CharacterCodingException ex) {
			return new String(bytes, StandardCharsets.ISO_8859_1);
		}
	}

	/**
	 * Return the ISO 8859-1 bytes of a text if they decode to it, else its UTF-8 bytes.
	 */
	private static byte[] encodedOtherwise(String text) {
		byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
		return decode(bytes).equals(text) ? bytes : RedisKeys.utf8(text);
	}

	@Override
	public synchronized void listen(Runnable changed) {
		this.changed = changed;
		resume();
	}

	synchronized void resume() {
		Runnable action = this.changed;
		if (this.connections != null && action != null) {
			this.announcements = new RedisAnnouncements(this.connections,
					"Redis does not notify this instance when rate limit rules are changed at run time, so it sees "
							+ "changes a little later",
					(message, pattern) -> action.run(), this.setup.keys.overrides());
			this.announcements.listen();
		}
	}

	/** Listen no more, and wait until the connection is closed. */
	synchronized void pause() {
		if (this.announcements != null) {
			this.announcements.close();
			this.announcements = null;
		}
	}

	@Override
	public Supplier<FigureStore> figures() {
		return RedisFigures.of(this.setup, this.reportingRunner);
	}

	@Override
	public boolean isShared() {
		return true;
	}

	@Override
	public synchronized void close() {
		this.changed = null;
		pause();
	}

}
