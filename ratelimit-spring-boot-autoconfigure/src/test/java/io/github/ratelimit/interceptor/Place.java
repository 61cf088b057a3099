package io.github.ratelimit.interceptor;

import java.util.function.Consumer;

import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Place of an annotation, with a call that it limits.
 *
 * @param name the name of the test case
 * @param beans the configuration
 * @param call the call
 * @param rule the name of the rule
 * @param location the method, as messages name it
 */
record Place(String name, Class<?> beans, Consumer<ListableBeanFactory> call, String rule, String location) {

	@Override
	public String toString() {
		return this.name;
	}

}
