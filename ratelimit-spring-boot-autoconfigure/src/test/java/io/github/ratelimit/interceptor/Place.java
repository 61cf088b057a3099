package io.github.ratelimit.interceptor;

import java.util.function.Consumer;

import org.springframework.beans.factory.ListableBeanFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Place of an annotation, with a call that it counts by the key {@code laoqian}.
 *
 * @param name the name of the test case
 * @param beans the configuration
 * @param call the call
 * @param rule the name of the rule
 * @param location the method, as messages name it
 */
record Place(String name, Class<?> beans, Consumer<ListableBeanFactory> call, String rule, String location) {

	void assertCounted() {
		CountingStore store = new CountingStore();
		LimitedContext.with(store, this.beans).run((context) -> {
			this.call.accept(context);
			assertThat(store.rules()).containsExactly(this.rule);
			assertThat(store.keys()).containsExactly("laoqian");
			assertThat(context.getBean(LimitedMethodSource.class).operations(this.rule))
				.extracting(RateLimitOperation::location)
				.contains(this.location);
		});
	}

	@Override
	public String toString() {
		return this.name;
	}

}
