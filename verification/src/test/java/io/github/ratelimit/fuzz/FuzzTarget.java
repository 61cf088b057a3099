package io.github.ratelimit.fuzz;

import io.github.ratelimit.actuate.endpoint.EndpointFuzz;
import io.github.ratelimit.autoconfigure.DurationFuzz;
import io.github.ratelimit.autoconfigure.RequestDescriptionFuzz;
import io.github.ratelimit.client.ApiAnswerFuzz;
import io.github.ratelimit.grpc.GrpcRuleFuzz;
import io.github.ratelimit.interceptor.ExpressionFuzz;
import io.github.ratelimit.override.OverrideTextFuzz;
import io.github.ratelimit.store.jdbc.StoredRowFuzz;
import io.github.ratelimit.store.redis.RedisStateFuzz;
import io.github.ratelimit.store.redis.RedisTextFuzz;
import io.github.ratelimit.top.SharedSummaryFuzz;

/**
 * Something that is parsed, with a property of all inputs. Jazzer finds the method
 * {@code fuzzerTestOneInput} of the class, which throws if an input does not have it.
 */
enum FuzzTarget {

	NAMES(NameFuzz.class, NameFuzz::fuzzerTestOneInput),

	KEYS(KeyFuzz.class, KeyFuzz::fuzzerTestOneInput),

	ADDRESSES(AddressFuzz.class, AddressFuzz::fuzzerTestOneInput),

	DURATIONS(DurationFuzz.class, DurationFuzz::fuzzerTestOneInput),

	PATTERNS(PatternFuzz.class, PatternFuzz::fuzzerTestOneInput),

	GRPC_CALLS(GrpcRuleFuzz.class, GrpcRuleFuzz::fuzzerTestOneInput),

	EXPRESSIONS(ExpressionFuzz.class, ExpressionFuzz::fuzzerTestOneInput),

	API_ANSWERS(ApiAnswerFuzz.class, ApiAnswerFuzz::fuzzerTestOneInput),

	OVERRIDE_TEXTS(OverrideTextFuzz.class, OverrideTextFuzz::fuzzerTestOneInput),

	ENDPOINT(EndpointFuzz.class, EndpointFuzz::fuzzerTestOneInput),

	REQUEST_DESCRIPTIONS(RequestDescriptionFuzz.class, RequestDescriptionFuzz::fuzzerTestOneInput),

	STORED_ROWS(StoredRowFuzz.class, StoredRowFuzz::fuzzerTestOneInput),

	REDIS_STATES(RedisStateFuzz.class, RedisStateFuzz::fuzzerTestOneInput),

	REDIS_TEXTS(RedisTextFuzz.class, RedisTextFuzz::fuzzerTestOneInput),

	SHARED_SUMMARIES(SharedSummaryFuzz.class, SharedSummaryFuzz::fuzzerTestOneInput);

	private final Class<?> type;

	private final Property property;

	FuzzTarget(Class<?> type, Property property) {
		this.type = type;
		this.property = property;
	}

	/**
	 * Return the class that has the method.
	 */
	Class<?> type() {
		return this.type;
	}

	/**
	 * Verify the property of an input.
	 */
	void verify(byte[] input) {
		try {
			this.property.verify(input);
		}
		catch (Throwable ex) {
			throw new AssertionError(this.type.getSimpleName() + " fails with the input \"" + Corpus.line(input) + '"',
					ex);
		}
	}

	/**
	 * Property of all inputs.
	 */
	@FunctionalInterface
	private interface Property {

		void verify(byte[] input) throws Exception;

	}

}
