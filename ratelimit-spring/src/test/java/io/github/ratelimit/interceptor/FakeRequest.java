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
	public String ip() {
		return "192.0.2.1";
	}

	@Override
	public @Nullable String principal() {
		return "laoqian";
	}

	@Override
	public String path() {
		return "/replies";
	}

	@Override
	public @Nullable String header(String name) {
		return name.equals("X-Api-Key") ? "k1" : null;
	}

	@Override
	public String sentPath() {
		return "/replies";
	}

	@Override
	public @Nullable String param(String name) {
		return null;
	}

	@Override
	public @Nullable String cookie(String name) {
		return null;
	}

	@Override
	public @Nullable Object claim(String name) {
		return this.claims.get(name);
	}

	@Override
	public @Nullable String pathVariable(String name) {
		return null;
	}

	@Override
	public void decided(Decision decision) {
		this.decisions.add(decision);
	}

}
