package io.github.ratelimit.architecture;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;

/**
 * Public type of the library that users of another type see in its declaration: as
 * supertype, type parameter or annotation, or in a public or protected member. What a
 * type that is not public shows, the types show that lead to it.
 *
 * @param place the declaration
 * @param type the name of the type; for a nested one, that of the outermost
 */
record Exposure(String place, String type) {

	/**
	 * Return what a public type, and the public types in it, expose.
	 */
	static Stream<Exposure> of(JavaClass type) {
		return of(type, new HashSet<>());
	}

	private static Stream<Exposure> of(JavaClass type, Set<JavaClass> seen) {
		if (!seen.add(type)) {
			return Stream.empty();
		}
		Stream<JavaType> types = Stream
			.of(type.getSuperclass().stream(), type.getInterfaces().stream(), type.getTypeParameters().stream(),
					type.getAnnotations().stream().map(JavaAnnotation::getRawType), nested(type))
			.flatMap((each) -> each);
		return Stream.concat(
				types.flatMap((each) -> each.getAllInvolvedRawTypes().stream())
					.flatMap((each) -> of(type.getName(), each, seen)),
				type.getMembers()
					.stream()
					.filter(Exposure::isVisible)
					.flatMap((member) -> types(member).flatMap((each) -> of(member.getFullName(), each, seen))));
	}

	private static Stream<Exposure> of(String place, JavaClass mentioned, Set<JavaClass> seen) {
		JavaClass type = mentioned.getBaseComponentType();
		if (!type.getName().startsWith(ArchitectureTests.ROOT + '.')) {
			return Stream.empty();
		}
		if (isPublic(type) && !type.isNestedClass()) {
			return Stream.of(new Exposure(place, type.getName()));
		}
		return isPublic(type) ? Stream.concat(Stream.of(new Exposure(place, type.getName().replaceFirst("\\$.*", ""))),
				isWithin(place, type) ? of(type, seen) : Stream.empty()) : of(type, seen);
	}

	/**
	 * Return whether a nested type belongs to the type that mentions it.
	 */
	private static boolean isWithin(String place, JavaClass type) {
		return type.getName().startsWith(place + '$');
	}

	private static Stream<JavaClass> nested(JavaClass type) {
		return type.getPackage()
			.getClasses()
			.stream()
			.filter((each) -> each.getEnclosingClass().filter(type::equals).isPresent() && isPublic(each));
	}

	private static Stream<JavaClass> types(JavaMember member) {
		Stream<JavaClass> declared = member.getAllInvolvedRawTypes().stream();
		return (member instanceof JavaCodeUnit unit) ? Stream.concat(declared, unit.getExceptionTypes().stream())
				: declared;
	}

	private static boolean isVisible(JavaMember member) {
		Set<JavaModifier> modifiers = member.getModifiers();
		boolean isInherited = modifiers.contains(JavaModifier.PROTECTED)
				&& !member.getOwner().getModifiers().contains(JavaModifier.FINAL);
		return (modifiers.contains(JavaModifier.PUBLIC) || isInherited) && !modifiers.contains(JavaModifier.SYNTHETIC);
	}

	private static boolean isPublic(JavaClass type) {
		return type.getModifiers().contains(JavaModifier.PUBLIC)
				&& type.getEnclosingClass().map(Exposure::isPublic).orElse(true);
	}

}
