package io.github.ratelimit.compatibility;

import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootVersion;

import static org.assertj.core.api.Assertions.assertThat;

class BuiltJarTests {

	@Test
	void isAJarOnTheLineOfThisModule() {
		String line = System.getProperty("compatibility.boot");
		System.out.println("Spring Boot " + line + " runs " + BuiltJar.path().getFileName() + " " + BuiltJar.sha256());
		assertThat(BuiltJar.path().toString()).endsWith(".jar");
		assertThat(SpringBootVersion.getVersion()).isEqualTo(line);
	}

	@Test
	void holdsTheAutoConfigurationAndItsScripts() {
		assertThat(BuiltJar.classes()).contains("io/github/ratelimit/autoconfigure/RateLimitAutoConfiguration");
		assertThat(getClass().getResource("/META-INF/ratelimit/decide.lua")).isNotNull();
		assertThat(getClass().getResource("/META-INF/spring-configuration-metadata.json")).isNotNull();
	}

}
