package io.github.ratelimit.autoconfigure;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Properties;

import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.core.io.UrlResource;
import org.springframework.core.io.support.PropertiesLoaderUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Auto-configurations that Spring Boot skips by their metadata, without reading their
 * classes.
 */
class SkippedAutoConfigurationTests {

	private final Properties metadata = new Properties();

	SkippedAutoConfigurationTests() throws IOException {
		for (URL each : Collections
			.list(getClass().getClassLoader().getResources("META-INF/spring-autoconfigure-metadata.properties"))) {
			PropertiesLoaderUtils.fillProperties(this.metadata, new UrlResource(each));
		}
	}

	@Test
	void thoseOfAbsentLibrariesAreSkipped() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()).getCandidates())
			.filteredOn((type) -> type.startsWith("io.github.ratelimit."))
			.filteredOn((type) -> !type.equals(RateLimitAutoConfiguration.class.getName())
					&& !type.equals(OutgoingRateLimitAutoConfiguration.class.getName()))
			.isNotEmpty()
			.allSatisfy((type) -> assertThat(this.metadata).containsKey(type + ".ConditionalOnClass"));
	}

}
