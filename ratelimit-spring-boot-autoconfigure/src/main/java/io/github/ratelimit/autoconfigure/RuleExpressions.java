package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;

import io.github.ratelimit.actuate.endpoint.KeyExpressions;
import io.github.ratelimit.interceptor.LimitedMethodSource;
import io.github.ratelimit.interceptor.RateLimitOperation;
import io.github.ratelimit.notation.KebabCase;
import io.github.ratelimit.web.HeaderFormat;

/**
 * Expressions of rules, those of annotated methods and those of incoming and outgoing
 * requests, as the endpoint shows them.
 */
final class RuleExpressions implements KeyExpressions {

	private final LimitedMethodSource methods;

	private final RateLimitProperties properties;

	RuleExpressions(LimitedMethodSource methods, RateLimitProperties properties) {
		this.methods = methods;
		this.properties = properties;
	}

	@Override
	public Map<String, String> of(String rule) {
		Map<String, String> keys = new TreeMap<>();
		for (RateLimitOperation operation : this.methods.operations(rule)) {
			keys.put(operation.location(), operation.keyText());
		}
		forEachRequest(rule, (place, request) -> keys.put(place, Objects.toString(request.key(), "")));
		List<RateLimitProperties.Outgoing> outgoing = this.properties.client().requests();
		for (int i = 0; i < outgoing.size(); i++) {
			if (rule.equals(outgoing.get(i).rule())) {
				keys.put("ratelimit.client.requests[" + i + ']', Objects.toString(outgoing.get(i).key(), ""));
			}
		}
		forEachCall(rule, (place, call) -> keys.put(place, Objects.toString(call.key(), "")));
		return keys;
	}

	@Override
	public Map<String, Map<String, String>> ends(String rule) {
		Map<String, Map<String, String>> ends = ofMethods(rule, RateLimitOperation::ends);
		forEachRequest(rule, (place, request) -> {
			if (request.unless() != null) {
				ends.put(place, Map.of("unless", request.unless()));
			}
		});
		forEachCall(rule, (place, call) -> {
			if (call.unless() != null) {
				ends.put(place, Map.of("unless", call.unless()));
			}
		});
		return ends;
	}

	@Override
	public Map<String, Map<String, String>> selections(String rule) {
		return ofMethods(rule, RateLimitOperation::selections);
	}

	private Map<String, Map<String, String>> ofMethods(String rule,
			Function<RateLimitOperation, Map<String, String>> texts) {
		Map<String, Map<String, String>> all = new TreeMap<>();
		for (RateLimitOperation operation : this.methods.operations(rule)) {
			if (!texts.apply(operation).isEmpty()) {
				all.put(operation.location(), texts.apply(operation));
			}
		}
		return all;
	}

	@Override
	public Headers headers(String rule) {
		Set<HeaderFormat> own = RuleProperties.headers(this.properties.rules()).get(rule);
		Set<HeaderFormat> formats = (own != null) ? own : this.properties.web().headers();
		return new Headers(formats.stream().map(KebabCase::of).toList(),
				(own != null) ? "ratelimit.rules." + rule + ".headers" : "ratelimit.web.headers");
	}

	private void forEachCall(String rule, BiConsumer<String, RateLimitProperties.GrpcCalls> action) {
		List<RateLimitProperties.GrpcCalls> calls = this.properties.grpc().calls();
		for (int i = 0; i < calls.size(); i++) {
			if (rule.equals(calls.get(i).rule())) {
				action.accept("ratelimit.grpc.calls[" + i + ']', calls.get(i));
			}
		}
	}

	private void forEachRequest(String rule, BiConsumer<String, RateLimitProperties.Request> action) {
		List<RateLimitProperties.Request> requests = this.properties.web().requests();
		for (int i = 0; i < requests.size(); i++) {
			if (rule.equals(requests.get(i).rule())) {
				action.accept("ratelimit.web.requests[" + i + ']', requests.get(i));
			}
		}
	}

}
