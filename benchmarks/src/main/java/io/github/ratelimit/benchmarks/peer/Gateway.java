package io.github.ratelimit.benchmarks.peer;

import java.util.List;
import java.util.function.Function;

import io.github.ratelimit.benchmarks.measure.Contender;
import io.github.ratelimit.benchmarks.measure.Quota;
import io.github.ratelimit.redis.process.RedisProcess;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter.Response;
import org.springframework.cloud.gateway.filter.ratelimit.RedisRateLimiter;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.data.redis.core.script.DefaultRedisScript;

/**
 * Spring Cloud Gateway's {@link RedisRateLimiter}. It supports rates per second only. As
 * its documentation says, slower rates use calls that take several tokens.
 */
final class Gateway {

	static final String NAME = "Spring Cloud Gateway";

	private Gateway() {
	}

	static Contender contender(RedisProcess redis, Quota quota) {
		LettuceConnectionFactory connections = Connections.to(redis);
		long seconds = quota.period().toSeconds();
		int tokens = Math.toIntExact(Math.max(1, seconds / quota.max()));
		int rate = Math.toIntExact(Math.max(1, quota.max() / seconds));
		RedisRateLimiter limiter = new RedisRateLimiter(rate, Math.toIntExact(quota.max() * tokens), tokens);
		GenericApplicationContext context = new GenericApplicationContext();
		context.registerBean(ReactiveStringRedisTemplate.class, () -> new ReactiveStringRedisTemplate(connections));
		context.registerBean(RedisRateLimiter.REDIS_SCRIPT_NAME, DefaultRedisScript.class, Gateway::script);
		context.refresh();
		limiter.setApplicationContext(context);
		Function<String, Mono<Boolean>> decide = (key) -> limiter.isAllowed("lane", key).map(Gateway::allowed);
		return new Contender(NAME, (key) -> Boolean.TRUE.equals(decide.apply(key).block()),
				(key) -> decide.apply(key).toFuture(), connections::destroy);
	}

	@SuppressWarnings("rawtypes") // as in the gateway's own configuration
	private static DefaultRedisScript script() {
		DefaultRedisScript<List<?>> script = new DefaultRedisScript<>();
		script.setLocation(new ClassPathResource("META-INF/scripts/request_rate_limiter.lua"));
		@SuppressWarnings("unchecked")
		Class<List<?>> list = (Class<List<?>>) (Class<?>) List.class;
		script.setResultType(list);
		return script;
	}

	/**
	 * Return whether a call was allowed by a decision. On a failure the gateway allows
	 * the call and reports -1 remaining tokens.
	 */
	private static boolean allowed(Response response) {
		if ("-1".equals(response.getHeaders().get(RedisRateLimiter.REMAINING_HEADER))) {
			throw new IllegalStateException("Redis did not decide");
		}
		return response.isAllowed();
	}

}
