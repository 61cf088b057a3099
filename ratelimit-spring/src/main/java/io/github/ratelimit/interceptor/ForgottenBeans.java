package io.github.ratelimit.interceptor;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.annotation.RateLimits;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.io.Resource;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.classreading.MetadataReaderFactory;

/**
 * Search for annotated classes of the application that are not beans, so their calls pass
 * no proxy. Class files are read, no class is loaded. Components are left out: they are
 * beans of a child context, which starts later, or under another profile.
 *
 * @since 0.1.0
 */
public final class ForgottenBeans {

	private static final List<String> ANNOTATIONS = List.of(RateLimited.class.getName(), RateLimits.class.getName());

	/**
	 * Directories of compiled tests: of Maven, Gradle (any source set with a name such as
	 * {@code integrationTest}), IntelliJ IDEA and Eclipse.
	 */
	private static final Pattern TESTS = Pattern
		.compile(".*/(test-classes|classes/[^/]+/(test|[^/]+Test)|(out|bin)/test)/.*");

	private static final String COMPONENT = "org.springframework.stereotype.Component";

	private final ClassPathScanningCandidateComponentProvider scanner = new ClassPathScanningCandidateComponentProvider(
			false);

	public ForgottenBeans(MetadataReaderFactory classFiles) {
		this.scanner.setMetadataReaderFactory(classFiles);
		this.scanner.addIncludeFilter(
				(reader, factory) -> isLimited(reader.getAnnotationMetadata()) && !isTest(reader.getResource()));
	}

	private static boolean isLimited(AnnotationMetadata type) {
		return !type.isAnnotated(COMPONENT) && ANNOTATIONS.stream()
			.anyMatch((annotation) -> type.hasAnnotation(annotation) || type.hasMetaAnnotation(annotation)
					|| type.hasAnnotatedMethods(annotation));
	}

	private static boolean isTest(Resource classFile) throws IOException {
		return TESTS.matcher(classFile.getURL().toString()).matches();
	}

	/** Search the packages of the application. Classes of its tests are left out. */
	public Set<String> find(List<String> packages, ConfigurableListableBeanFactory beans) {
		Set<String> forgotten = new TreeSet<>();
		for (String each : packages) {
			for (BeanDefinition candidate : this.scanner.findCandidateComponents(each)) {
				forgotten.add(candidate.getBeanClassName());
			}
		}
		if (!forgotten.isEmpty()) {
			forgotten.removeAll(typesOf(beans));
		}
		return forgotten;
	}

	private static Set<String> typesOf(ConfigurableListableBeanFactory beans) {
		Set<String> names = new HashSet<>();
		for (Class<?> type : LimitedBeanVerifier.types(beans).values()) {
			for (Class<?> each = type; each != null; each = each.getSuperclass()) {
				names.add(each.getName());
			}
		}
		if (beans.getParentBeanFactory() instanceof ConfigurableListableBeanFactory ofParent) {
			names.addAll(typesOf(ofParent));
		}
		return names;
	}

}
