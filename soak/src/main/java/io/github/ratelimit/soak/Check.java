package io.github.ratelimit.soak;

import java.util.stream.Stream;

/**
 * Statement that holds for every key of a scenario, regardless of failures.
 */
@FunctionalInterface
interface Check {

	/**
	 * Return what contradicts the statement.
	 * @param key a key that is not used any more
	 * @param timeline what failed
	 * @return descriptions of violations
	 */
	Stream<String> violations(KeyHistory key, Timeline timeline);

	/**
	 * Return the statement about the denials of a class of calls.
	 */
	default Check ofDenialsOf(String priority) {
		return (key, timeline) -> violations(key.only((call) -> call.admitted() || call.isOfClass(priority)), timeline);
	}

	/**
	 * Return the statement about the calls of a class alone.
	 */
	default Check ofClass(String priority) {
		return (key, timeline) -> violations(key.only((call) -> call.isOfClass(priority)), timeline);
	}

	/**
	 * Return the statement about the calls that the store has decided.
	 */
	default Check ofStore() {
		return (key, timeline) -> violations(key.only(Call::byStore), timeline);
	}

}
