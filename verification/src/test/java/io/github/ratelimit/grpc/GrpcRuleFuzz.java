package io.github.ratelimit.grpc;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.grpc.MethodDescriptor;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.fuzz.FuzzInput;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Patterns of gRPC methods and the methods of a server, one per line. A pattern is
 * refused with a remedy, or selects the methods that it names; one that selects none is
 * refused with a pattern that selects some.
 */
public final class GrpcRuleFuzz {

	private static final Pattern REMEDY = Pattern.compile("Write method: (\\S+?)(?: for example)?\\.");

	private GrpcRuleFuzz() {
	}

	public static void fuzzerTestOneInput(byte[] input) {
		FuzzInput from = new FuzzInput(input);
		String pattern = from.line();
		List<MethodDescriptor<?, ?>> served = new ArrayList<>();
		for (String name = from.line(); name != null; name = from.line()) {
			if (name.matches("[\\w.]+/\\w+")) {
				served.add(method(name));
			}
		}
		try {
			GrpcRule rule = GrpcRule.of(pattern, null);
			assertThat(served).allSatisfy((method) -> assertThat(rule.matches(method))
				.isEqualTo(selects(String.valueOf(pattern), method.getFullMethodName())));
			if (!served.isEmpty()) {
				check(rule, served);
			}
		}
		catch (InvalidAttributeException ex) {
			FuzzInput.assertUseful(ex);
			assertThat(String.valueOf(pattern)).doesNotMatch("[\\w.]+/(\\w+|\\*)|\\*\\*");
		}
	}

	private static void check(GrpcRule rule, List<MethodDescriptor<?, ?>> served) {
		boolean selectsSome = served.stream().anyMatch(rule::matches);
		try {
			rule.checkApplies(served);
			assertThat(selectsSome).isTrue();
		}
		catch (InvalidAttributeException ex) {
			assertThat(selectsSome).isFalse();
			FuzzInput.assertUseful(ex);
			Matcher remedy = REMEDY.matcher(ex.action());
			if (rule.service() != null) {
				assertThat(remedy.matches()).as(ex.action()).isTrue();
				GrpcRule written = GrpcRule.of(remedy.group(1), null);
				assertThat(served).anyMatch(written::matches);
				assertThat(rule.method() != null || written.method() == null).as("all methods of a service").isTrue();
			}
		}
	}

	private static boolean selects(String pattern, String method) {
		if (pattern.equals("**")) {
			return !method.startsWith("grpc.health.") && !method.startsWith("grpc.reflection.");
		}
		return pattern.equals(method) || pattern.equals(method.substring(0, method.indexOf('/')) + "/*");
	}

	private static MethodDescriptor<?, ?> method(String name) {
		return MethodDescriptor.<String, String>newBuilder()
			.setType(MethodDescriptor.MethodType.UNARY)
			.setFullMethodName(name)
			.setRequestMarshaller(new Texts())
			.setResponseMarshaller(new Texts())
			.build();
	}

	/**
	 * Messages that are never sent.
	 */
	private static final class Texts implements MethodDescriptor.Marshaller<String> {

		@Override
		public InputStream stream(String value) {
			throw new UnsupportedOperationException();
		}

		@Override
		public String parse(InputStream stream) {
			throw new UnsupportedOperationException();
		}

	}

}
