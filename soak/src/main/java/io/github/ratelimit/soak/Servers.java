package io.github.ratelimit.soak;

import java.util.List;

/**
 * Servers that the instances share, and what can happen to them.
 */
interface Servers extends AutoCloseable {

	/**
	 * Return the properties of Spring Boot that select them.
	 */
	List<String> properties();

	List<Fault> faults();

	@Override
	void close();

}
