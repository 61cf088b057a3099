package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Failure analysis that an application prints when startup fails.
 *
 * @param description the lines below "Description", joined
 * @param action the lines below "Action", joined
 */
record StartFailure(String description, String action) {

	private static final Pattern REPORT = Pattern
		.compile("APPLICATION FAILED TO START.*?Description:\\s+(.*?)\\s+Action:\\s+(.*?)\\s*\\z", Pattern.DOTALL);

	static StartFailure of(CapturedOutput output, List<Class<?>> beans, List<String> properties) {
		Class<?>[] sources = Stream.concat(Stream.of(Application.class), beans.stream()).toArray(Class<?>[]::new);
		String[] arguments = properties.stream().map("--"::concat).toArray(String[]::new);
		SpringApplicationBuilder application = new SpringApplicationBuilder(sources).web(WebApplicationType.NONE);
		assertThatException().isThrownBy(() -> application.run(arguments).close());
		Matcher report = REPORT.matcher(output.getAll());
		assertThat(report.find()).as(output.getAll()).isTrue();
		return new StartFailure(asOneLine(report.group(1)), asOneLine(report.group(2)));
	}

	private static String asOneLine(String text) {
		return text.replaceAll("\\s+", " ");
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, RateLimitAutoConfiguration.class })
	static class Application {

	}

}
