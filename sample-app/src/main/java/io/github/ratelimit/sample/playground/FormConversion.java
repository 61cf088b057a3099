package io.github.ratelimit.sample.playground;

import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.context.annotation.Configuration;
import org.springframework.format.FormatterRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Reads values of requests as those of {@code application.yml} are read:
 * {@code sliding-log}, {@code 200ms}.
 */
@Configuration(proxyBeanMethods = false)
class FormConversion implements WebMvcConfigurer {

	@Override
	public void addFormatters(FormatterRegistry registry) {
		ApplicationConversionService.configure(registry);
	}

}
