package io.github.ratelimit.autoconfigure;

import java.util.List;

import org.springframework.boot.test.system.CapturedOutput;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Beans with a mistake in an annotation, and the message that stops startup.
 */
record AnnotationMistake(List<Class<?>> beans, List<String> properties, String description, String action) {

	AnnotationMistake(String description, String action, Class<?> bean) {
		this(List.of(bean), List.of(), description, action);
	}

	AnnotationMistake with(String property) {
		return new AnnotationMistake(this.beans, List.of(property), this.description, this.action);
	}

	void assertStopsStartup(CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, this.beans, this.properties);
		assertThat(failure.description()).isEqualTo(this.description);
		assertThat(failure.action()).isEqualTo(this.action);
	}

	@Override
	public String toString() {
		return this.beans.get(0).getSimpleName() + this.properties;
	}

}
