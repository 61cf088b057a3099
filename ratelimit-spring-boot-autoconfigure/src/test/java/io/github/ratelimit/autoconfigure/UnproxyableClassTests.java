package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.function.Supplier;

import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;

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

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			Closed | Closed      | is final | Make the class non-final (open in Kotlin).
			Hidden | Hidden$Text | is final | Make the class non-final (open in Kotlin).
			Data   | Data        | is a record, and so final | Write an ordinary class instead of a record.
			Plain  | Plain$Mode  | is an enum, which cannot be extended | Write an ordinary class instead of an enum.
			Bodies | Bodies$Mode | is an enum, which cannot be extended | Write an ordinary class instead of an enum.
			Sealed | Sealed      | is sealed | Remove sealed and permits from the class (write open in Kotlin).
			Single | Single      | has only private constructors | Add a constructor that is not private.
			""")
	void classIsNamed(String bean, String type, String reason, String remedy, CapturedOutput output) {
		Class<?> source = ClassUtils.resolveClassName(PACKAGE + bean, null);
		StartFailure failure = StartFailure.of(output, List.of(source), List.of());
		assertThat(failure.description()).isEqualTo("Invalid @RateLimited in " + PACKAGE + type + ": the class "
				+ reason + ", and Spring limits methods by a proxy that extends it.");
		assertThat(failure.action()).isEqualTo(remedy + INTERFACE);
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
