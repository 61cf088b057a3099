package io.github.ratelimit.autoconfigure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A mistake in an annotation, or in the properties of its rule, stops startup with a
 * message that names the place, the mistake and the correction.
 */
@ExtendWith(OutputCaptureExtension.class)
class AnnotationMistakeTests {

	private static final String HEADER = """
			package io.github.ratelimit.autoconfigure;

			import io.github.ratelimit.*;
			import io.github.ratelimit.annotation.*;
			import jakarta.annotation.*;
			import java.util.List;
			import java.util.Map;
			import java.util.concurrent.TimeUnit;
			import java.util.function.Supplier;
			import org.springframework.beans.factory.*;
			import org.springframework.context.annotation.*;
			import org.springframework.core.Ordered;
			import org.springframework.web.bind.annotation.ModelAttribute;
			import reactor.core.publisher.ConnectableFlux;

			""";

	/**
	 * Beans are written {@code static class}, other types in another order.
	 */
	private static final Pattern BEAN = Pattern.compile("\\bstatic class (\\S+)");

	@ParameterizedTest
	@MethodSource
	void stopsStartup(Mistake mistake, CapturedOutput output) {
		mistake.assertStopsStartup(output);
	}

	static Stream<Mistake> stopsStartup() throws IOException {
		List<Mistake> all = new ArrayList<>();
		for (String table : List.of("LimitedMethods", "AnnotatedLimits", "AnnotatedExpressions", "EndExpressions",
				"Fallbacks")) {
			List<List<String>> rows = MistakeTable.read(table);
			String sources = rows.stream()
				.map(AnnotationMistakeTests::source)
				.distinct()
				.collect(Collectors.joining("\n"));
			Class<?> cases = CompiledSource.compile(table, HEADER + "class " + table + " {\n" + sources + "\n}\n",
					"-parameters");
			rows.forEach((row) -> all.add(mistake(row, cases)));
		}
		return all.stream();
	}

	/**
	 * Return the source of the beans with a mistake. Lines that begin with hyphens are
	 * properties, and the last two the description and the action.
	 */
	private static String source(List<String> row) {
		return row.subList(0, row.size() - 2)
			.stream()
			.filter((line) -> !line.startsWith("--"))
			.collect(Collectors.joining("\n"));
	}

	private static Mistake mistake(List<String> row, Class<?> cases) {
		List<Class<?>> beans = new ArrayList<>();
		BEAN.matcher(source(row))
			.results()
			.forEach((bean) -> beans
				.add(ClassUtils.resolveClassName(cases.getName() + '$' + bean.group(1), cases.getClassLoader())));
		List<String> properties = row.stream()
			.filter((line) -> line.startsWith("--"))
			.map((line) -> line.substring(2))
			.toList();
		return new Mistake(beans, properties, row.get(row.size() - 2), row.get(row.size() - 1));
	}

	@Test
	void namesakesOfDifferentPackagesStopStartup(CapturedOutput output) {
		String outer = AnnotationMistakeTests.class.getName() + '$';
		new Mistake(List.of(One.Service.class, Two.Service.class), List.of(),
				"@RateLimited on " + outer + "Two$Service.call() and @RateLimited on " + outer
						+ "One$Service.call() both derive the rule name \"service-call\".",
				"Give at least one of them a name of its own, @RateLimited(name = \"service-call-2\", ...) for example.")
			.assertStopsStartup(output);
	}

	@Test
	void ofAClassCompiledWithoutParameterNamesStopsStartup(CapturedOutput output) {
		Class<?> bean = CompiledSource.compile("Nameless", """
				package io.github.ratelimit.autoconfigure;

				import io.github.ratelimit.annotation.RateLimited;

				public class Nameless {

					@RateLimited(key = "#userId", max = 5, period = 60)
					public void call(String userId) {
					}

				}
				""");
		new Mistake(List.of(bean), List.of(),
				"Invalid @RateLimited on Nameless.call(String): key \"#userId\" uses the unknown variable 'userId'. "
						+ "Known: #a0, args, ip, method, methodName, path, principal, target, targetClass, "
						+ "claim('name'), cookie('name'), header('name'), param('name'), pathVariable('name').",
				"The names of the parameters are not in the class file: compile with "
						+ "-parameters, or write #a0 for the first one.")
			.assertStopsStartup(output);
	}

	static class One {

		static class Service {

			@RateLimited(max = 5, period = 60)
			public void call() {
			}

		}

	}

	static class Two {

		static class Service {

			@RateLimited(max = 5, period = 60)
			public void call() {
			}

		}

	}

	/**
	 * Beans with a mistake, and the message that stops startup.
	 */
	private record Mistake(List<Class<?>> beans, List<String> properties, String description, String action) {

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

}
