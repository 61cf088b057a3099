package io.github.ratelimit.override;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Store of overrides in this process, for this instance only and until it ends.
 *
 * @since 0.1.0
 */
public final class LocalOverrideStore implements OverrideStore {

	private final Map<String, String> texts = new HashMap<>();

	private long version;

	@Override
	public synchronized @Nullable StoredOverrides read(String knownVersion) {
		String now = String.valueOf(this.version);
		return now.equals(knownVersion) ? null : new StoredOverrides(now, this.texts);
	}

	@Override
	public synchronized boolean replace(String rule, @Nullable String expected, @Nullable String text) {
		if (!Objects.equals(this.texts.get(rule), expected)) {
			return false;
		}
		if (text != null) {
			this.texts.put(rule, text);
		}
		else {
			this.texts.remove(rule);
		}
		this.version++;
		return true;
	}

	@Override
	public boolean isShared() {
		return false;
	}

}
