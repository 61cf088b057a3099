package io.github.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Beans with a mistake in an annotation, and the message that stops startup.
 */
record AnnotationMistake(List<Class<?>> beans, List<String> properties, String description, String action) {

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

	/**
	 * Read a table of mistakes with an empty line between two. Each has the source of its
	 * beans, perhaps properties that begin with hyphens, and in its last lines the
	 * description and the action.
	 * @param outer the name of the class in which the beans are nested
	 */
	static Stream<AnnotationMistake> table(String outer, String table) {
		List<List<String>> rows = Stream.of(table.split("\n\n")).map((row) -> row.lines().toList()).toList();
		String sources = rows.stream().map(AnnotationMistake::source).distinct().collect(Collectors.joining("\n"));
		Class<?> cases = CompiledSource.compile(outer, HEADER + "class " + outer + " {\n" + sources + "\n}\n",
				"-parameters");
		return rows.stream().map((row) -> of(row, cases));
	}

	private static String source(List<String> row) {
		return row.subList(0, row.size() - 2)
			.stream()
			.filter((line) -> !line.startsWith("--"))
			.collect(Collectors.joining("\n"));
	}

	private static AnnotationMistake of(List<String> row, Class<?> cases) {
		List<Class<?>> beans = new ArrayList<>();
		BEAN.matcher(source(row))
			.results()
			.forEach((bean) -> beans
				.add(ClassUtils.resolveClassName(cases.getName() + '$' + bean.group(1), cases.getClassLoader())));
		List<String> properties = row.stream()
			.filter((line) -> line.startsWith("--"))
			.map((line) -> line.substring(2))
			.toList();
		return new AnnotationMistake(beans, properties, row.get(row.size() - 2), row.get(row.size() - 1));
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
