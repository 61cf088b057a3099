package io.github.ratelimit.autoconfigure;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.stream.Stream;

import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Classes of this package that a test compiles, without parameter names as plain javac
 * works or with options.
 */
final class CompiledSource {

	private CompiledSource() {
	}

	/**
	 * Compile a class and those nested in it.
	 */
	static Class<?> compile(String name, String source, String... options) {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		ClassesInMemory output = new ClassesInMemory(compiler.getStandardFileManager(null, null, null));
		List<String> all = Stream
			.concat(Stream.of("-proc:none", "-classpath", System.getProperty("java.class.path")), Stream.of(options))
			.toList();
		assertThat(compiler.getTask(null, output, null, all, null, List.of(new Source(name, source))).call()).isTrue();
		define(new ArrayDeque<>(output.classes));
		return ClassUtils.resolveClassName(CompiledSource.class.getPackageName() + '.' + name, null);
	}

	/**
	 * Define classes, a class that extends another one after that.
	 */
	private static void define(Queue<ByteArrayOutputStream> classes) {
		while (!classes.isEmpty()) {
			ByteArrayOutputStream bytes = classes.remove();
			try {
				MethodHandles.lookup().defineClass(bytes.toByteArray());
			}
			catch (NoClassDefFoundError ex) {
				classes.add(bytes);
			}
			catch (IllegalAccessException ex) {
				throw new IllegalStateException(ex);
			}
		}
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

	private static final class ClassesInMemory extends ForwardingJavaFileManager<JavaFileManager> {

		private final List<ByteArrayOutputStream> classes = new ArrayList<>();

		private ClassesInMemory(JavaFileManager files) {
			super(files);
		}

		@Override
		public JavaFileObject getJavaFileForOutput(Location location, String className, JavaFileObject.Kind kind,
				FileObject sibling) {
			ByteArrayOutputStream bytes = new ByteArrayOutputStream();
			this.classes.add(bytes);
			return new SimpleJavaFileObject(URI.create("memory:///" + this.classes.size() + ".class"), kind) {

				@Override
				public OutputStream openOutputStream() {
					return bytes;
				}

			};
		}

	}

}
