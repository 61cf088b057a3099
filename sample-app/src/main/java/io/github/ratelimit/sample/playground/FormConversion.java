package io.github.ratelimit.sample.playground;

import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.context.annotation.Configuration;
import org.springframework.format.FormatterRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Conversion of request values by the rules of {@code application.yml}:
 * {@code sliding-log}, {@code 200ms}.
 */
@Configuration(proxyBeanMethods = false)
class FormConversion implements WebMvcConfigurer {

	@Override
	public void addFormatters(FormatterRegistry registry) {
		ApplicationConversionService.configure(registry);
	}

}
