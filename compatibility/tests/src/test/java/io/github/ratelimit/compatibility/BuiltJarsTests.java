package io.github.ratelimit.compatibility;

import java.util.jar.JarFile;

import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootVersion;

import static org.assertj.core.api.Assertions.assertThat;

class BuiltJarsTests {

	@Test
	void areJarsOnTheLineOfThisModule() {
		String line = System.getProperty("compatibility.boot");
		assertThat(BuiltJars.paths()).doesNotHaveDuplicates().allSatisfy((jar) -> {
			System.out.println("Spring Boot " + line + " runs " + jar.getFileName() + " " + BuiltJars.sha256(jar));
			assertThat(jar.toString()).endsWith(".jar");
		});
		assertThat(SpringBootVersion.getVersion()).isEqualTo(line);
	}

	@Test
	void holdTheLicense() {
		assertThat(BuiltJars.paths()).allSatisfy((path) -> {
			try (JarFile jar = new JarFile(path.toFile())) {
				assertThat(jar.getEntry("META-INF/LICENSE")).isNotNull();
			}
		});
	}

	@Test
	void holdTheAutoConfigurationAndItsScripts() {
		assertThat(BuiltJars.classes()).contains("io/github/ratelimit/autoconfigure/RateLimitAutoConfiguration");
		assertThat(getClass().getResource("/META-INF/ratelimit/decide.lua")).isNotNull();
		assertThat(getClass().getResource("/META-INF/spring-configuration-metadata.json")).isNotNull();
	}

}
