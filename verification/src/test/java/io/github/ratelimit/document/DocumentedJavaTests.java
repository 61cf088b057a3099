package io.github.ratelimit.document;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Java code in the documents compiles. A block that begins with an import is a whole
 * file; types that other blocks do not declare come from an assumed application.
 */
class DocumentedJavaTests {

	private static final String IMPORTS = """
			import io.github.ratelimit.*;
			import io.github.ratelimit.annotation.*;
			import java.time.*;
			import org.slf4j.Logger;
			""";

	private static final String STATEMENTS = IMPORTS + """
			class Documented {
				void run(RateLimiterRegistry registry, Logger log, String phone, String tenant, int rows, Model model,
						String question) {
					%s
				}
				interface Model {
					Answer ask(String question);
				}
				record Answer(long totalTokens) { }
			}
			""";

	private static final String SIGNATURE = IMPORTS + """
			interface Documented {
				record Reply(String text) { }
				%s;
			}
			""";

	private static final Pattern CLASS = Pattern.compile("\\bclass (\\w+)");

	@TempDir
	private Path classes;

	@ParameterizedTest
	@MethodSource
	void compiles(CodeBlock block) {
		assertThat(mistakes(block.code())).isEmpty();
	}

	static Stream<CodeBlock> compiles() {
		return DocumentedCode.blocks("java");
	}

	@Test
	void thereAreSome() {
		assertThat(compiles()).extracting(CodeBlock::document).contains("README.md", "docs/configuration.md");
	}

	@Test
	void findsAMethodThatThereIsNot() {
		assertThat(mistakes("registry.limiter(\"sms\").acquireAll(phone);")).singleElement()
			.asString()
			.contains("cannot find symbol", "acquireAll");
	}

	@Test
	void findsAnImportThatIsMissing() {
		assertThat(mistakes("import java.util.List;\n\nclass Sms {\n\n\tDecision decision;\n\n}")).singleElement()
			.asString()
			.contains("cannot find symbol", "Decision");
	}

	@Test
	void findsAnAttributeThatThereIsNot() {
		assertThat(mistakes("@RateLimited(maximum = 5)\npublic Reply reply(String userId)")).singleElement()
			.asString()
			.contains("maximum");
	}

	private List<String> mistakes(String code) {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
		List<String> options = List.of("-proc:none", "-cp", System.getProperty("java.class.path"), "-d",
				this.classes.toString());
		compiler.getTask(null, null, diagnostics, options, null, List.of(source(code.strip()))).call();
		return diagnostics.getDiagnostics()
			.stream()
			.filter((diagnostic) -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
			.map((diagnostic) -> diagnostic.getMessage(Locale.ENGLISH))
			.toList();
	}

	private static JavaFileObject source(String code) {
		if (code.startsWith("import ")) {
			Matcher type = CLASS.matcher(code);
			assertThat(type.find()).isTrue();
			return source(type.group(1), code);
		}
		return source("Documented", (code.endsWith(")") ? SIGNATURE : STATEMENTS).formatted(code));
	}

	private static JavaFileObject source(String type, String text) {
		return new SimpleJavaFileObject(URI.create("string:///" + type + ".java"), JavaFileObject.Kind.SOURCE) {

			@Override
			public CharSequence getCharContent(boolean ignoreEncodingErrors) {
				return text;
			}

		};
	}

}
