package io.github.ratelimit.compatibility;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Resolves references on a class path as the JVM does at link time.
 */
final class Linker {

	private static final Declarations ABSENT = new Declarations(false, false, null, List.of(), Map.of(), Set.of());

	private final Map<String, Declarations> declarations = new HashMap<>();

	private final ClassLoader loader;

	Linker(ClassLoader loader) {
		this.loader = loader;
	}

	ClassReader read(String name) {
		try (InputStream stream = this.loader.getResourceAsStream(name + ".class")) {
			return (stream != null) ? new ClassReader(stream) : null;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the references of a class that do not exist.
	 */
	Set<String> missing(References references) {
		Set<String> missing = new TreeSet<>();
		for (String type : references.types()) {
			if (declarations(type) == ABSENT) {
				missing.add(references.from() + ": " + type);
			}
		}
		for (References.Member member : references.members()) {
			Declarations owner = declarations(member.owner());
			if (owner == ABSENT) {
				continue;
			}
			if (member.isField() ? !hasField(member.owner(), member.name())
					: !hasMethod(member.owner(), member.name() + member.descriptor())) {
				missing.add(references.from() + ": " + member.owner() + '.' + member.name()
						+ (member.isField() ? "" : member.descriptor()));
			}
			else if (!member.isField() && owner.isInterface() != member.onInterface()) {
				missing.add(references.from() + ": " + member.owner() + " is an interface, or was one");
			}
		}
		return missing;
	}

	/**
	 * Return the abstract methods that a concrete class inherits but does not implement.
	 */
	Set<String> unimplemented(String name) {
		Declarations type = declarations(name);
		Set<String> unimplemented = new TreeSet<>();
		if (!type.isAbstract()) {
			for (String method : abstractMethods(name)) {
				unimplemented.add(name + " does not implement " + method);
			}
		}
		return unimplemented;
	}

	Set<String> abstractMethods(String name) {
		Set<String> abstractOnes = new LinkedHashSet<>();
		Set<String> implemented = new LinkedHashSet<>();
		for (String type : hierarchy(name)) {
			declarations(type).methods()
				.forEach((method, isAbstract) -> (isAbstract ? abstractOnes : implemented).add(method));
		}
		abstractOnes.removeAll(implemented);
		return abstractOnes;
	}

	private boolean hasField(String owner, String name) {
		return hierarchy(owner).stream().anyMatch((type) -> declarations(type).fields().contains(name));
	}

	/**
	 * Return whether a class has a method. Some of handles have the descriptor of their
	 * call.
	 */
	private boolean hasMethod(String owner, String method) {
		return owner.matches("java/lang/invoke/(Method|Var)Handle")
				|| hierarchy(owner).stream().anyMatch((type) -> declarations(type).methods().containsKey(method));
	}

	private Set<String> hierarchy(String name) {
		Set<String> types = new LinkedHashSet<>();
		addHierarchy(name, types);
		types.add("java/lang/Object");
		return types;
	}

	private void addHierarchy(String name, Set<String> types) {
		if (name == null || !types.add(name)) {
			return;
		}
		Declarations type = declarations(name);
		addHierarchy(type.superName(), types);
		type.interfaces().forEach((each) -> addHierarchy(each, types));
	}

	private Declarations declarations(String name) {
		return this.declarations.computeIfAbsent(name, (key) -> {
			ClassReader reader = read(key);
			return (reader != null) ? Declarations.of(reader) : ABSENT;
		});
	}

	/**
	 * Declarations of a class.
	 *
	 * @param methods names with descriptors, and whether they are abstract
	 */
	private record Declarations(boolean isInterface, boolean isAbstract, String superName, List<String> interfaces,
			Map<String, Boolean> methods, Set<String> fields) {

		static Declarations of(ClassReader reader) {
			Map<String, Boolean> methods = new HashMap<>();
			Set<String> fields = new LinkedHashSet<>();
			reader.accept(new ClassVisitor(Opcodes.ASM9) {

				@Override
				public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
						String[] exceptions) {
					methods.put(name + descriptor, (access & Opcodes.ACC_ABSTRACT) != 0);
					return null;
				}

				@Override
				public FieldVisitor visitField(int access, String name, String descriptor, String signature,
						Object value) {
					fields.add(name);
					return null;
				}

			}, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
			return new Declarations((reader.getAccess() & Opcodes.ACC_INTERFACE) != 0,
					(reader.getAccess() & Opcodes.ACC_ABSTRACT) != 0, reader.getSuperName(),
					List.of(reader.getInterfaces()), methods, fields);
		}

	}

}
