package io.github.ratelimit.compatibility;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import io.github.ratelimit.test.RateLimitClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every class, method and field that the built jar refers to exists in this version of
 * Spring Boot, and every abstract method is implemented. The jar is compiled against the
 * oldest version only.
 */
class LinkTests {

	private static final boolean BOOT_3 = System.getProperty("compatibility.boot").startsWith("3.");

	/**
	 * The health API and the customizers of clients have moved, so each generation has a
	 * package; those of the other generation are never loaded.
	 */
	private static final Pattern OTHER_GENERATION = Pattern.compile(BOOT_3
			? "^io/github/ratelimit/(actuate/boot4/\\w+: org/springframework/boot/health/contributor/[\\w$]+"
					+ "|client/boot4/[\\w$]+: org/springframework/boot/(restclient|webclient)/\\w+Customizer.*)$"
			: "^io/github/ratelimit/(actuate/boot3/\\w+: org/springframework/boot/actuate/health/[\\w$]+"
					+ "|client/boot3/[\\w$]+: org/springframework/boot/web/(client|reactive/function/client)/"
					+ "\\w+Customizer.*)$");

	/**
	 * Classes for Spring Cloud Gateway, which is on no class path but that of
	 * {@link GatewayLinkTests}.
	 */
	static final Pattern OF_GATEWAY = Pattern
		.compile("^io/github/ratelimit/(gateway/(?!mvc/)|autoconfigure/(Gateway(?!Mvc)|RouteLimits)).*");

	/**
	 * Classes for Spring Cloud Gateway Server MVC, likewise of
	 * {@link MvcGatewayLinkTests}.
	 */
	static final Pattern OF_MVC_GATEWAY = Pattern
		.compile("^io/github/ratelimit/(gateway/mvc/|autoconfigure/GatewayMvc).*");

	/**
	 * Classes for gRPC, likewise of {@link GrpcLinkTests}.
	 */
	static final Pattern OF_GRPC = Pattern.compile("^io/github/ratelimit/(grpc/|autoconfigure/Grpc).*");

	/**
	 * Classes for Spring AI, likewise of {@link AiLinkTests}.
	 */
	static final Pattern OF_AI = Pattern.compile("^io/github/ratelimit/(ai/|autoconfigure/Ai).*");

	/**
	 * Classes for springdoc, likewise of {@link OpenApiLinkTests}.
	 */
	static final Pattern OF_OPEN_API = Pattern.compile("^io/github/ratelimit/(openapi/|autoconfigure/OpenApi).*");

	private final Linker linker = new Linker(LinkTests.class.getClassLoader());

	static List<String> classes(Pattern names) {
		return BuiltJars.classes().stream().filter(names.asMatchPredicate()).toList();
	}

	@Test
	void everyReferenceOfTheJarExists() {
		Set<String> missing = new TreeSet<>();
		List<String> others = BuiltJars.classes()
			.stream()
			.filter(OF_GATEWAY.asMatchPredicate()
				.or(OF_MVC_GATEWAY.asMatchPredicate())
				.or(OF_GRPC.asMatchPredicate())
				.or(OF_AI.asMatchPredicate())
				.or(OF_OPEN_API.asMatchPredicate())
				.negate())
			.toList();
		assertThat(link(others, missing)).isGreaterThan(1000);
		assertThat(missing).filteredOn(OTHER_GENERATION.asPredicate().negate()).isEmpty();
		assertThat(missing).as("the moved types of the other generation").isNotEmpty();
	}

	@Test
	void everyReferenceOfTheTestModuleExists() {
		Set<String> missing = new TreeSet<>();
		assertThat(link(BuiltJars.classes(RateLimitClock.class), missing)).isGreaterThan(100);
		assertThat(missing).isEmpty();
	}

	int link(List<String> classes, Set<String> missing) {
		int references = 0;
		for (String name : classes) {
			if (name.endsWith("package-info")) {
				continue;
			}
			References of = References.of(this.linker.read(name));
			references += of.size();
			missing.addAll(this.linker.missing(of));
			missing.addAll(this.linker.unimplemented(name));
		}
		return references;
	}

	@Test
	void missingMembersAreFound() {
		References references = new References("Test");
		references.method("java/lang/String", "shout", "()V", false);
		references.method("java/lang/String", "length", "()I", false);
		references.method("java/util/List", "size", "()I", false);
		references.method("java/util/List", "hashCode", "()I", true);
		references.field("java/lang/Long", "MAXIMUM", "J");
		references.type("org/example/Absent");
		assertThat(this.linker.missing(references)).containsExactlyInAnyOrder("Test: java/lang/String.shout()V",
				"Test: java/util/List is an interface, or was one", "Test: java/lang/Long.MAXIMUM",
				"Test: org/example/Absent");
	}

	@Test
	void unimplementedMethodsAreFound() {
		assertThat(this.linker.unimplemented("io/github/ratelimit/compatibility/LinkTests")).isEmpty();
		assertThat(this.linker.abstractMethods("java/util/AbstractList")).contains("get(I)Ljava/lang/Object;");
	}

}
