package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.function.Supplier;

import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A bean with limited methods whose class no proxy can extend stops startup with a
 * message that states the correction.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnproxyableClassTests {

	private static final String PACKAGE = UnproxyableClassTests.class.getName() + '$';

	private static final String INTERFACE = " Or let it implement an interface that has the methods and is not sealed, and set "
			+ "spring.aop.proxy-target-class to false: other beans then have to inject the interface.";

	@Test
	void finalClassIsNamed(CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, List.of(Closed.class), List.of());
		assertThat(failure.description()).isEqualTo("Invalid @RateLimited in " + PACKAGE
				+ "Closed: the class is final, and Spring limits methods by a proxy that extends it.");
		assertThat(failure.action()).isEqualTo("Make the class non-final (open in Kotlin)." + INTERFACE);
	}

	@Test
	void finalClassBehindAnInterfaceIsNamed(CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, List.of(Hidden.class), List.of());
		assertThat(failure.description()).isEqualTo("Invalid @RateLimited in " + PACKAGE
				+ "Hidden$Text: the class is final, and Spring limits methods by a proxy that extends it.");
	}

	@Test
	void recordIsNamed(CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, List.of(Data.class), List.of());
		assertThat(failure.description()).isEqualTo("Invalid @RateLimited in " + PACKAGE
				+ "Data: the class is a record, and so final, and Spring limits methods by a proxy that extends it.");
		assertThat(failure.action()).isEqualTo("Write an ordinary class instead of a record." + INTERFACE);
	}

	@ParameterizedTest
	@ValueSource(classes = { Plain.class, Bodies.class })
	void enumIsNamed(Class<?> configuration, CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, List.of(configuration), List.of());
		assertThat(failure.description()).isEqualTo("Invalid @RateLimited in " + configuration.getName()
				+ "$Mode: the class is an enum, which cannot be extended, and Spring limits methods by a proxy that "
				+ "extends it.");
		assertThat(failure.action()).isEqualTo("Write an ordinary class instead of an enum." + INTERFACE);
	}

	@Test
	void sealedClassIsNamed(CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, List.of(Sealed.class), List.of());
		assertThat(failure.description()).isEqualTo("Invalid @RateLimited in " + PACKAGE
				+ "Sealed: the class is sealed, and Spring limits methods by a proxy that extends it.");
		assertThat(failure.action())
			.isEqualTo("Remove sealed and permits from the class (write open in Kotlin)." + INTERFACE);
	}

	@Test
	void classWithPrivateConstructorsIsNamed(CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, List.of(Single.class), List.of());
		assertThat(failure.description()).isEqualTo("Invalid @RateLimited in " + PACKAGE
				+ "Single: the class has only private constructors, and Spring limits methods by a proxy that extends "
				+ "it.");
		assertThat(failure.action()).isEqualTo("Add a constructor that is not private." + INTERFACE);
	}

	static final class Closed {

		@RateLimited(max = 5, period = 60)
		public void call() {
		}

	}

	@Configuration
	static class Hidden {

		@Bean
		Supplier<String> text() {
			return new Text();
		}

		static final class Text implements Supplier<String> {

			@Override
			@RateLimited(max = 5, period = 60)
			public String get() {
				return "";
			}

		}

	}

	record Data() {

		@RateLimited(max = 5, period = 60)
		public void call() {
		}

	}

	@Configuration
	static class Plain {

		@Bean
		Mode mode() {
			return Mode.ONE;
		}

		enum Mode {

			ONE;

			@RateLimited(max = 5, period = 60)
			public void call() {
			}

		}

	}

	@Configuration
	static class Bodies {

		@Bean
		Mode mode() {
			return Mode.ONE;
		}

		enum Mode {

			ONE {

				@Override
				public void call() {
				}

			};

			@RateLimited(max = 5, period = 60)
			public abstract void call();

		}

	}

	static sealed class Sealed permits Only {

		@RateLimited(max = 5, period = 60)
		public void call() {
		}

	}

	static final class Only extends Sealed {

	}

	static class Single {

		private Single() {
		}

		@RateLimited(max = 5, period = 60)
		public void call() {
		}

	}

}
