package io.github.ratelimit.compatibility;

import java.util.LinkedHashSet;
import java.util.Set;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Types, methods and fields that a class refers to. Annotations are omitted, since the
 * JVM ignores those whose class is absent.
 */
final class References {

	private final String from;

	private final Set<String> types = new LinkedHashSet<>();

	private final Set<Member> members = new LinkedHashSet<>();

	References(String from) {
		this.from = from;
	}

	static References of(ClassReader reader) {
		References references = new References(reader.getClassName());
		reader.accept(references.new Collector(), ClassReader.SKIP_DEBUG);
		return references;
	}

	String from() {
		return this.from;
	}

	Set<String> types() {
		return this.types;
	}

	Set<Member> members() {
		return this.members;
	}

	int size() {
		return this.types.size() + this.members.size();
	}

	void type(String name) {
		type(Type.getObjectType(name));
	}

	private void type(Type type) {
		switch (type.getSort()) {
			case Type.ARRAY -> type(type.getElementType());
			case Type.OBJECT -> this.types.add(type.getInternalName());
			case Type.METHOD -> {
				type(type.getReturnType());
				for (Type argument : type.getArgumentTypes()) {
					type(argument);
				}
			}
			default -> {
			}
		}
	}

	void method(String owner, String name, String descriptor, boolean onInterface) {
		type(owner);
		type(Type.getMethodType(descriptor));
		if (!owner.startsWith("[")) {
			this.members.add(new Member(owner, name, descriptor, onInterface));
		}
	}

	void field(String owner, String name, String descriptor) {
		type(owner);
		type(Type.getType(descriptor));
		this.members.add(new Member(owner, name, descriptor, null));
	}

	private void constant(Object value) {
		if (value instanceof Type type) {
			type(type);
		}
		else if (value instanceof Handle handle) {
			boolean field = handle.getTag() <= Opcodes.H_PUTSTATIC;
			if (field) {
				field(handle.getOwner(), handle.getName(), handle.getDesc());
			}
			else {
				method(handle.getOwner(), handle.getName(), handle.getDesc(), handle.isInterface());
			}
		}
	}

	/**
	 * Method or, with {@code onInterface == null}, a field.
	 */
	record Member(String owner, String name, String descriptor, Boolean onInterface) {

		boolean isField() {
			return this.onInterface == null;
		}

	}

	private final class Collector extends ClassVisitor {

		private Collector() {
			super(Opcodes.ASM9);
		}

		@Override
		public void visit(int version, int access, String name, String signature, String superName,
				String[] interfaces) {
			type(superName);
			for (String type : interfaces) {
				type(type);
			}
		}

		@Override
		public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
			type(Type.getType(descriptor));
			return null;
		}

		@Override
		public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
				String[] exceptions) {
			type(Type.getMethodType(descriptor));
			return new InstructionCollector();
		}

	}

	private final class InstructionCollector extends MethodVisitor {

		private InstructionCollector() {
			super(Opcodes.ASM9);
		}

		@Override
		public void visitTypeInsn(int opcode, String type) {
			type(type);
		}

		@Override
		public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
			field(owner, name, descriptor);
		}

		@Override
		public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
			method(owner, name, descriptor, isInterface);
		}

		@Override
		public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
			type(Type.getMethodType(descriptor));
			constant(bootstrap);
			for (Object argument : arguments) {
				constant(argument);
			}
		}

		@Override
		public void visitLdcInsn(Object value) {
			constant(value);
		}

		@Override
		public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
			if (type != null) {
				type(type);
			}
		}

		@Override
		public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
			type(Type.getType(descriptor));
		}

	}

}
