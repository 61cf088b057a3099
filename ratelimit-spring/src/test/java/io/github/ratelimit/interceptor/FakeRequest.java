package io.github.ratelimit.interceptor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.Decision;
import org.jspecify.annotations.Nullable;

/**
 * Request of the user {@code laoqian} from the address 192.0.2.1.
 */
final class FakeRequest implements CallContext {

	final List<Decision> decisions = new ArrayList<>();

	final Map<String, Object> claims = new HashMap<>();

	@Override
	public @Nullable Object read(RequestPart part, String name) {
		return switch (part) {
			case IP -> "192.0.2.1";
			case PRINCIPAL -> "laoqian";
			case PATH, SENT_PATH -> "/replies";
			case HEADER -> name.equals("X-Api-Key") ? "k1" : null;
			case CLAIM -> this.claims.get(name);
			case PARAM, COOKIE, PATH_VARIABLE -> null;
		};
	}

	@Override
	public void decided(Decision decision) {
		this.decisions.add(decision);
	}

}
