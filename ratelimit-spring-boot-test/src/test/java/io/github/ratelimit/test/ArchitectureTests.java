package io.github.ratelimit.test;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

/**
 * Permitted dependencies of this module. The test packages of Spring Boot are not among
 * them, because they have moved between its generations.
 */
class ArchitectureTests {

	private static final String ROOT = "io.github.ratelimit";

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages(ROOT + ".test");

	@Test
	void needsNoPackageThatHasMoved() {
		classes().should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage("java..", "org.jspecify..", "org.assertj.core.api..", "org.springframework.beans..",
					"org.springframework.context..", "org.springframework.core..", "org.springframework.test.context",
					"org.springframework.http.server.reactive", "org.springframework.web.server",
					"reactor.core.publisher", "org.springframework.boot.autoconfigure",
					"org.springframework.boot.autoconfigure.condition", ROOT, ROOT + ".test", ROOT + ".adaptive",
					ROOT + ".autoconfigure", ROOT + ".engine", ROOT + ".override", ROOT + ".store..")
			.check(CLASSES);
	}

}
