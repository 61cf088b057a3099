package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.Map;

import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.annotation.RateLimits;
import io.github.ratelimit.interceptor.OutgoingRequest;
import io.github.ratelimit.interceptor.RequestExpressionRoot;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/**
 * Hints for a native image about the limiter itself: its scripts, the types of which
 * expressions and the table of attributes read values by name, and the classes that are
 * looked up by name.
 */
final class RateLimitHints implements RuntimeHintsRegistrar {

	private static final List<String> LIBRARIES = List.of("io.lettuce.core.RedisClient", "redis.clients.jedis.Jedis",
			"reactor.core.scheduler.Schedulers", "io.netty.util.concurrent.FastThreadLocalThread",
			"io.micrometer.context.ContextSnapshotFactory", "kotlinx.coroutines.reactor.MonoKt",
			"jakarta.servlet.ServletResponse", "org.springframework.grpc.server.GlobalServerInterceptor");

	private static final String SECURITY = "org.springframework.security.";

	/** Methods without parameters that are called by their names. */
	private static final Map<String, List<String>> METHODS = Map.of("java.lang.Object", List.of("toString"),
			"org.springframework.web.reactive.config.BlockingExecutionConfigurer", List.of("getExecutor"),
			"org.springframework.ai.model.tool.ToolCallingChatOptions", List.of("getToolNames"),
			SECURITY + "core.Authentication", List.of("getPrincipal", "getCredentials"),
			SECURITY + "core.context.SecurityContextHolder", List.of("getContext"),
			SECURITY + "core.context.SecurityContext", List.of("getAuthentication"),
			SECURITY + "oauth2.core.ClaimAccessor", List.of("getClaims"),
			SECURITY + "oauth2.core.OAuth2AuthenticatedPrincipal", List.of("getAttributes"));

	/** Fields of Redis clients that have no public methods. */
	private static final Map<String, String> FIELDS = Map.of("redis.clients.jedis.UnifiedJedis", "provider",
			"redis.clients.jedis.Connection", "inputStream", "io.lettuce.core.RedisClient", "redisURI",
			"org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory", "configuration");

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("META-INF/ratelimit/*.lua");
		hints.resources().registerPattern("io/github/ratelimit/store/jdbc/schema-*.sql");
		ReflectionHints reflection = hints.reflection();
		for (Class<?> read : List.of(String.class, RequestExpressionRoot.class, RequestExpressionRoot.OfMethod.class,
				RequestExpressionRoot.Ended.class, OutgoingRequest.class, RuleProperties.class,
				RuleProperties.LimitProperties.class, PlanProperties.class, PlanProperties.PlanLimit.class,
				CandidateProperties.class)) {
			reflection.registerType(read, MemberCategory.INVOKE_PUBLIC_METHODS);
		}
		reflection.registerType(RateLimited.class, MemberCategory.INVOKE_DECLARED_METHODS);
		reflection.registerType(RateLimits.class, MemberCategory.INVOKE_DECLARED_METHODS);
		for (String library : LIBRARIES) {
			reflection.registerTypeIfPresent(classLoader, library);
		}
		FIELDS.forEach((type, field) -> reflection.registerTypeIfPresent(classLoader, type,
				(client) -> client.withField(field)));
		METHODS.forEach((type, names) -> reflection.registerTypeIfPresent(classLoader, type,
				(hint) -> names.forEach((name) -> hint.withMethod(name, List.of(), ExecutableMode.INVOKE))));
		reflection.registerTypeIfPresent(classLoader, "io.github.ratelimit.web.reactive.FailureDispatch",
				(dispatch) -> dispatch.withMethod("fail",
						List.of(TypeReference.of("org.springframework.web.server.ServerWebExchange")),
						ExecutableMode.INVOKE));
		reflection.registerTypeIfPresent(classLoader, "jakarta.servlet.http.HttpServletResponse",
				(response) -> response.withMethod("sendRedirect",
						TypeReference.listOf(String.class, int.class, boolean.class), ExecutableMode.INVOKE));
		reflection.registerTypeIfPresent(classLoader, "io.github.ratelimit.gateway.mvc.RateLimitFilterFunctions",
				MemberCategory.INVOKE_PUBLIC_METHODS);
	}

}
