package io.github.ratelimit.actuate.endpoint;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameter;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Arguments of the endpoint are those it knows, each of them once, and the path is an
 * array.
 */
class StrictArgumentsTests {

	private static final String[] PATH = { "log" };

	@Test
	void knownArgumentsArePassedOn() {
		assertThat(invoke(OperationType.READ, "path", PATH, "key", "a")).isEqualTo(Map.of("path", PATH, "key", "a"));
	}

	@Test
	void nameWithoutAValueIsPresentButInAChangeOnlyThatOfTheKey() {
		assertThat(invoke(OperationType.READ, "path", PATH, "explain", null)).hasToString(text("explain", ""));
		assertThat(invoke(OperationType.DELETE, "path", PATH, "key", null)).hasToString(text("key", ""));
		assertThat(invoke(OperationType.WRITE, "path", PATH, "key", null)).hasToString(text("key", ""));
		assertThat(invoke(OperationType.WRITE, "path", PATH, "explain", null)).hasToString(text("explain", "null"));
	}

	@Test
	void unknownNameIsRefusedAndTheKnownOnesAreNamed() {
		assertRefused(invoke(OperationType.READ, "path", PATH, "kye", "a"),
				"\"kye\" is unknown. Did you mean key? Known here: explain, key.");
		assertRefused(invoke(OperationType.READ, Map.of("foo", ""), parameter("changes", String.class)),
				"\"foo\" is unknown. Known here: changes. Others belong to a rule: /actuator/ratelimits/{rule}?key=acme "
						+ "for example.");
	}

	@Test
	void pathThatIsNoPathIsRefused() {
		assertRefused(invoke(OperationType.WRITE, "path", "search", "key", "a"), "\"path\" is unknown.");
	}

	@Test
	void repeatedNameIsRefused() {
		assertRefused(invoke(OperationType.READ, "path", PATH, "key", List.of("a", "b")),
				"\"key\" is given 2 times. Write it once.");
	}

	@Test
	void valueThatIsNoTextIsRefused() {
		assertRefused(invoke(OperationType.WRITE, "path", PATH, "key" + StrictArguments.NO_TEXT, "a list"),
				"\"key\" cannot be a list. Write one value.");
		assertRefused(invoke(OperationType.WRITE, "path", PATH, "kye" + StrictArguments.NO_TEXT, "an object"),
				"\"kye\" is unknown. Did you mean key?");
	}

	@Test
	void bodyThatIsNoObjectIsRefusedAndAnExampleIsGiven() {
		assertRefused(invoke(OperationType.WRITE, "path", PATH, StrictArguments.NO_OBJECT, ""),
				"The body is not a JSON object of 256 KB at most. Write {\"max\": 10} for example.");
		for (String name : List.of(StrictArguments.NO_OBJECT, "request")) {
			assertRefused(
					invoke(OperationType.WRITE, Map.of(name, ""), parameter("method", String.class),
							parameter("remoteAddress", String.class)),
					"\"request\" is not an object in a body of 256 KB at most. Write {\"request\": {\"method\"");
		}
		assertRefused(invoke(OperationType.WRITE, "path", PATH, "request", ""),
				"\"request\" is unknown. Known here: explain, key.");
	}

	@Test
	void descriptionOfARequestIsAmongTheNamesThatMayBeMeant() {
		assertRefused(
				invoke(OperationType.WRITE, Map.of("requst", ""), parameter("method", String.class),
						parameter("remoteAddress", String.class)),
				"\"requst\" is unknown. Did you mean request? Known here: method, remoteAddress.");
		assertRefused(
				invoke(OperationType.WRITE, Map.of("headers" + StrictArguments.NO_TEXT, "a list"),
						parameter("headers", String.class)),
				"\"headers\" cannot be a list. Write {\"headers\": {\"X-Api-Key\": \"k\"}} for example.");
	}

	@Test
	void otherEndpointsAreLeftAlone() {
		OperationInvoker invoker = InvocationContext::getArguments;
		assertThat(new StrictArguments().apply(EndpointId.of("health"), OperationType.READ,
				mock(OperationParameters.class), invoker))
			.isSameAs(invoker);
	}

	private static Object invoke(OperationType type, String path, Object pathValue, String name,
			@Nullable Object value) {
		Map<String, Object> arguments = new LinkedHashMap<>();
		arguments.put(path, pathValue);
		arguments.put(name, value);
		return invoke(type, arguments, parameter("path", String[].class), parameter("key", String.class),
				parameter("explain", String.class));
	}

	private static Object invoke(OperationType type, Map<String, Object> arguments, OperationParameter... known) {
		OperationParameters parameters = mock(OperationParameters.class);
		given(parameters.iterator()).willAnswer((call) -> Stream.of(known).iterator());
		return new StrictArguments()
			.apply(EndpointId.of("ratelimits"), type, parameters, InvocationContext::getArguments)
			.invoke(new InvocationContext(SecurityContext.NONE, arguments));
	}

	private static OperationParameter parameter(String name, Class<?> type) {
		OperationParameter parameter = mock(OperationParameter.class);
		given(parameter.getName()).willReturn(name);
		given(parameter.getType()).willAnswer((call) -> type);
		return parameter;
	}

	private static String text(String name, String value) {
		return "{path=" + PATH + ", " + name + "=" + value + '}';
	}

	private static void assertRefused(Object answer, String why) {
		assertThat(answer).isInstanceOfSatisfying(WebEndpointResponse.class, (response) -> {
			assertThat(response.getStatus()).isEqualTo(400);
			assertThat(response.getBody()).asString().contains(why);
		});
	}

}
