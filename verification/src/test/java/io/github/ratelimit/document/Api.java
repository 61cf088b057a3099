package io.github.ratelimit.document;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Public types of the published modules. The documentation of a package says that it is
 * internal, and except which types. Types of all other packages are API. A nested type
 * belongs to the type that contains it.
 */
public final class Api {

	private static final Pattern INTERNAL = Pattern
		.compile("This package is internal to the library and may change in any release(?:, except ([^.]+))?\\.");

	private static final Pattern LINK = Pattern.compile("\\{@link (\\w+)}");

	private static final String PACKAGE_INFO = "package-info";

	private final List<Package> packages;

	private Api(List<Package> packages) {
		this.packages = packages;
	}

	/**
	 * Read the sources.
	 * @return the types of all published modules
	 */
	public static Api read() {
		return new Api(Sources.folders().stream().flatMap(Api::packages).toList());
	}

	private static Stream<Package> packages(Path folder) {
		Map<Path, List<Path>> files = Sources.files(folder)
			.collect(Collectors.groupingBy(Path::getParent, TreeMap::new, Collectors.toList()));
		return files.entrySet().stream().map((entry) -> {
			String name = folder.relativize(entry.getKey()).toString().replace('/', '.');
			Map<String, String> sources = new TreeMap<>();
			entry.getValue().forEach((file) -> sources.put(nameOf(file), Sources.read(file)));
			return Package.of(folder.subpath(1, 2).toString(), name, sources);
		});
	}

	private static String nameOf(Path file) {
		return file.getFileName().toString().replace(".java", "");
	}

	/**
	 * Return the names of the types that are API.
	 * @return fully qualified names
	 */
	public Set<String> names() {
		return types().map(Type::fullName).collect(Collectors.toSet());
	}

	Stream<Type> types() {
		return this.packages.stream().flatMap((each) -> each.api.stream());
	}

	/**
	 * Return the packages with types that are API.
	 */
	Stream<Package> packages() {
		return this.packages.stream().filter((each) -> !each.api.isEmpty());
	}

	/**
	 * Find the internal type that an import is about.
	 * @param name the name of a type, nested or not, or of its member
	 */
	Optional<String> internal(String name) {
		return this.packages.stream()
			.flatMap((each) -> each.internal.stream())
			.map(Type::fullName)
			.filter((type) -> name.equals(type) || name.startsWith(type + '.'))
			.findFirst();
	}

	/**
	 * Package of a published module.
	 *
	 * @param module the folder of the module
	 * @param name the name
	 * @param isInternal whether it is internal, perhaps except some types
	 * @param api the public types that are API
	 * @param internal the other public types
	 */
	record Package(String module, String name, boolean isInternal, List<Type> api, List<Type> internal) {

		static Package of(String module, String name, Map<String, String> sources) {
			if (!sources.containsKey(PACKAGE_INFO)) {
				throw new IllegalStateException(name + " has no package-info.java, which says whether it is internal");
			}
			String text = sources.get(PACKAGE_INFO).replaceAll("\\s+\\*\\s+", " ");
			Matcher internal = INTERNAL.matcher(text);
			boolean isInternal = internal.find();
			List<String> exceptions = new ArrayList<>();
			if (isInternal && internal.group(1) != null) {
				LINK.matcher(internal.group(1)).results().forEach((link) -> exceptions.add(link.group(1)));
			}
			List<Type> types = sources.entrySet()
				.stream()
				.filter((source) -> isPublic(source.getKey(), source.getValue()))
				.map((source) -> new Type(module, name, source.getKey(),
						Javadoc.of(name, source.getKey(), source.getValue()).sentence()))
				.toList();
			Predicate<Type> isApi = (type) -> !isInternal || exceptions.remove(type.name);
			Map<Boolean, List<Type>> byApi = types.stream().collect(Collectors.partitioningBy(isApi));
			if (!exceptions.isEmpty()) {
				throw new IllegalStateException(
						"package-info.java of " + name + " names no public types: " + exceptions);
			}
			return new Package(module, name, isInternal, byApi.get(true), byApi.get(false));
		}

		private static boolean isPublic(String name, String source) {
			return Pattern.compile("(?m)^public [a-z@ -]*(class|interface|record|enum) " + name + "\\b")
				.matcher(source)
				.find();
		}

	}

	/**
	 * Public type that is not nested.
	 *
	 * @param module the folder of its module
	 * @param packageName the name of its package
	 * @param name the simple name
	 * @param sentence the first sentence of its documentation
	 */
	record Type(String module, String packageName, String name, String sentence) {

		String fullName() {
			return this.packageName + '.' + this.name;
		}

		/**
		 * Return the source file, relative to the folder of the parent POM.
		 */
		String source() {
			return this.module + "/src/main/java/" + fullName().replace('.', '/') + ".java";
		}

	}

}
