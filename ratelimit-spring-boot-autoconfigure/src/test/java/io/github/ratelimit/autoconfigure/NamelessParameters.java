package io.github.ratelimit.autoconfigure;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.net.URI;
import java.util.List;

import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compiler of classes of this package without parameter names, as plain javac works.
 */
final class NamelessParameters {

	private NamelessParameters() {
	}

	static Class<?> compile(String name, String source) {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		ClassInMemory output = new ClassInMemory(compiler.getStandardFileManager(null, null, null));
		List<String> options = List.of("-proc:none", "-classpath", System.getProperty("java.class.path"));
		assertThat(compiler.getTask(null, output, null, options, null, List.of(new Source(name, source))).call())
			.isTrue();
		return output.define();
	}

	private static final class Source extends SimpleJavaFileObject {

		private final String source;

		private Source(String name, String source) {
			super(URI.create("memory:///" + name + ".java"), Kind.SOURCE);
			this.source = source;
		}

		@Override
		public CharSequence getCharContent(boolean ignoreEncodingErrors) {
			return this.source;
		}

	}

	private static final class ClassInMemory extends ForwardingJavaFileManager<JavaFileManager> {

		private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

		private ClassInMemory(JavaFileManager files) {
			super(files);
		}

		@Override
		public JavaFileObject getJavaFileForOutput(Location location, String className, JavaFileObject.Kind kind,
				FileObject sibling) {
			return new SimpleJavaFileObject(URI.create("memory:///" + className + ".class"), kind) {

				@Override
				public OutputStream openOutputStream() {
					return ClassInMemory.this.bytes;
				}

			};
		}

		private Class<?> define() {
			try {
				return MethodHandles.lookup().defineClass(this.bytes.toByteArray());
			}
			catch (IllegalAccessException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
