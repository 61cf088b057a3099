package io.github.ratelimit.web;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Ban;
import io.github.ratelimit.Headroom;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.ScheduledPlan;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.interceptor.CallLimiter;
import io.github.ratelimit.interceptor.ExpressionBeans;
import io.github.ratelimit.interceptor.RateLimitOperation;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import io.github.ratelimit.store.tck.Seeds;
import io.github.ratelimit.web.servlet.LimitHeadersFilter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.DefaultMockMvcBuilder;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The explanation of a request equals what the same request then gets.
 */
class RequestExplainerTests {

	private static final int APPLICATIONS = 10;

	private static final int RULE_SETS = 100;

	private static final String[] KEYS = { "ip", "header('X-Key')", "header('X-Key') ?: ip", "param('q')",
			"cookie('c')", "path", "'all'", "pathVariable('id')", "principal ?: 'nobody'" };

	private final Random random = new Random(Seeds.seeds().findFirst().orElseThrow());

	private final AtomicLong clock = new AtomicLong(1_700_000_000_000_000L);

	private final Map<Integer, Integer> statuses = new TreeMap<>();

	@ParameterizedTest
	@EnumSource(names = { "SPRING_MVC_BEHIND_FILTER", "WEB_FLUX" })
	void explanationEqualsWhatTheSameRequestThenGets(WebStack stack) {
		for (int i = 0; i < APPLICATIONS; i++) {
			run(stack);
		}
		assertThat(this.statuses).containsOnlyKeys(200, 400, 429);
		assertThat(this.statuses.values()).allMatch((times) -> times > 100);
	}

	private void run(WebStack stack) {
		RateLimitStore store = new LocalRateLimitStore(100_000, this.clock::get);
		stack.runner()
			.withBean(RateLimitStore.class, () -> store)
			.withBean(Random.class, () -> this.random)
			.withUserConfiguration(RandomRules.class, Answering.class)
			.withPropertyValues("ratelimit.rules.none.max=1", "ratelimit.rules.none.period=1s",
					"ratelimit.web.requests[0].path=/none", "ratelimit.web.requests[0].rule=none")
			.run((context) -> {
				Sender sender = (stack == WebStack.WEB_FLUX) ? webFlux(context) : mvc(context);
				for (int set = 0; set < RULE_SETS; set++) {
					for (int i = 0; i < 3; i++) {
						this.statuses.merge(compare(context, sender, set), 1, Integer::sum);
					}
				}
			});
	}

	private int compare(ApplicationContext context, Sender sender, int set) throws Exception {
		this.clock.addAndGet(this.random.nextInt(3) * this.random.nextInt(2_000_000));
		if (this.random.nextInt(20) == 0) {
			override(context, set);
		}
		String method = this.random.nextBoolean() ? "GET" : "POST";
		String target = "/s" + set + "/id" + this.random.nextInt(2) + ((this.random.nextInt(4) > 0) ? "?q=a" : "");
		Map<String, String> headers = headers();
		RequestExplainer explainer = context.getBean(RequestExplainer.class);
		String lines = String.join("\n",
				headers.entrySet().stream().map((each) -> each.getKey() + ": " + each.getValue()).toList());
		RequestExplainer.Answer explained = explainer.explain(method, target, lines, "192.0.2.7", null).answer();
		assertThat(explainer.explain(method, target, lines, "192.0.2.7", null).answer()).isEqualTo(explained);
		Response response = sender.send(method, target, headers);
		assertThat(response.status()).as("%s %s %s: %s", method, target, headers, explained)
			.isEqualTo(explained.status());
		assertThat(response.headers()).as("%s %s %s", method, target, headers).isEqualTo(explained.headers());
		if (explained.problem() != null) {
			assertThat(response.body().replace("\\\"", "\"")).contains(explained.problem().getDetail());
		}
		return response.status();
	}

	private void override(ApplicationContext context, int set) {
		RateLimiter limiter = context.getBean(RuleRegistry.class).limiter("s" + set + "-0");
		KeyOverride override = switch (this.random.nextInt(3)) {
			case 0 -> KeyOverride.blocked();
			case 1 -> KeyOverride.unlimited();
			default -> KeyOverride.max((limiter.rule().limits().size() > 1) ? "short" : "", 2 + this.random.nextInt(9));
		};
		limiter.override(this.random.nextBoolean() ? "192.0.2.7" : "k0", override);
	}

	private Map<String, String> headers() {
		Map<String, String> headers = new TreeMap<>();
		Map.of("X-Key", "k" + this.random.nextInt(2), "X-Plan", "pro", "X-Priority", "low", "Cookie", "b=1; c=2")
			.forEach((name, value) -> {
				if (this.random.nextInt(4) > 0) {
					headers.put(name, value);
				}
			});
		return headers;
	}

	private static Sender mvc(ApplicationContext context) {
		DefaultMockMvcBuilder mvc = MockMvcBuilders.webAppContextSetup((WebApplicationContext) context)
			.addFilters(context.getBean(LimitHeadersFilter.class),
					context.getBean("rateLimitRequestFilter", FilterRegistrationBean.class).getFilter());
		var client = mvc.build();
		return (method, target, headers) -> {
			MockHttpServletRequestBuilder request = MockMvcRequestBuilders
				.request(HttpMethod.valueOf(method), java.net.URI.create(target))
				.with((sent) -> {
					sent.setRemoteAddr("192.0.2.7");
					return sent;
				});
			headers.forEach(request::header);
			if (headers.containsKey("Cookie")) {
				request.cookie(new jakarta.servlet.http.Cookie("b", "1"), new jakarta.servlet.http.Cookie("c", "2"));
			}
			MockHttpServletResponse response = client.perform(request).andReturn().getResponse();
			return Response.of(response.getStatus(), response::getHeader, response.getContentAsString());
		};
	}

	private static Sender webFlux(ApplicationContext context) {
		var handler = WebHttpHandlerBuilder.applicationContext(context).build();
		return (method, target, headers) -> {
			MockServerHttpRequest.BaseBuilder<?> request = MockServerHttpRequest
				.method(HttpMethod.valueOf(method), java.net.URI.create(target))
				.remoteAddress(new InetSocketAddress("192.0.2.7", 1));
			headers.forEach(request::header);
			if (headers.containsKey("Cookie")) {
				request.cookie(new org.springframework.http.HttpCookie("c", "2"));
			}
			MockServerHttpResponse response = new MockServerHttpResponse();
			handler.handle(request.build(), response).block(Duration.ofSeconds(10));
			return Response.of((response.getStatusCode() != null) ? response.getStatusCode().value() : 200,
					response.getHeaders()::getFirst, response.getBodyAsString().block(Duration.ofSeconds(10)));
		};
	}

	@FunctionalInterface
	private interface Sender {

		Response send(String method, String target, Map<String, String> headers) throws Exception;

	}

	private record Response(int status, Map<String, String> headers, String body) {

		static Response of(int status, java.util.function.UnaryOperator<@Nullable String> header,
				@Nullable String body) {
			Map<String, String> headers = new TreeMap<>();
			Stream.of("Retry-After", "RateLimit", "RateLimit-Policy").forEach((name) -> {
				String value = header.apply(name);
				if (value != null) {
					headers.put(name, value);
				}
			});
			return new Response(status, headers, (body != null) ? body : "");
		}

	}

	@RestController
	static class Answering {

		@RequestMapping("/**")
		String answer() {
			return "done";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class RandomRules {

		@Bean
		RequestRuleMatcher randomRules(Random random, ConfigurableListableBeanFactory beans) {
			return new RequestRuleMatcher(() -> rules(random, beans), () -> beans.getBean(CallLimiter.class));
		}

		private static List<RequestRule> rules(Random random, ConfigurableListableBeanFactory beans) {
			List<RequestRule> rules = new ArrayList<>();
			for (int set = 0; set < RULE_SETS; set++) {
				int size = 1 + random.nextInt(3);
				for (int i = 0; i < size; i++) {
					rules.add(rule(random, beans, set, i));
				}
			}
			return rules;
		}

		private static RequestRule rule(Random random, ConfigurableListableBeanFactory beans, int set, int index) {
			var path = PathPatternParser.defaultInstance.parse("/s" + set + "/{id}");
			RuleLimiter limiter = (RuleLimiter) beans.getBean(RuleRegistry.class)
				.register(rule(random, "s" + set + '-' + index));
			Set<String> methods = switch (random.nextInt(4)) {
				case 0 -> Set.of("GET");
				case 1 -> Set.of("POST");
				default -> Set.of();
			};
			return new RequestRule(path, methods,
					RateLimitOperation.ofRequests(limiter, "set " + set, KEYS[random.nextInt(KEYS.length)], null, null,
							new PatternVariables(path), new ExpressionBeans(beans)));
		}

		private static RateLimitRule rule(Random random, String name) {
			Algorithm[] algorithms = { Algorithm.SLIDING_LOG, Algorithm.SLIDING_WINDOW, Algorithm.WEIGHTED_WINDOW,
					Algorithm.FIXED_WINDOW, Algorithm.TOKEN_BUCKET, Algorithm.LEAKY_BUCKET };
			Algorithm algorithm = algorithms[random.nextInt(algorithms.length)];
			long max = 1 + random.nextInt(4);
			Duration period = Duration.ofMillis(1 + random.nextInt(10_000));
			RateLimitRule.Builder rule = RateLimitRule.named(name)
				.limit(Limit.of(max, period).withAlgorithm(algorithm).withName("short"));
			boolean isOnly = random.nextInt(4) > 0;
			if (!isOnly) {
				rule.limit(Limit.of(3, Duration.ofMinutes(1)).withName("long"));
			}
			rule.mode((random.nextInt(8) == 0) ? (random.nextBoolean() ? Mode.SHADOW : Mode.OFF) : Mode.ENFORCE);
			if (isOnly && random.nextInt(3) == 0) {
				rule.plan("pro", Limit.of(max + 2, period)).plan("header('X-Plan')");
				if (random.nextBoolean()) {
					rule.plan("day", Limit.of(max + 1, period))
						.schedule(ScheduledPlan.daily("day", java.time.LocalTime.MIDNIGHT, java.time.LocalTime.MIDNIGHT,
								ZoneOffset.UTC));
				}
			}
			if (algorithm != Algorithm.LEAKY_BUCKET && max > 1 && random.nextInt(4) == 0) {
				rule.priority("header('X-Priority')").headroom("low", Headroom.ofPercent(40));
			}
			else if (algorithm == Algorithm.LEAKY_BUCKET && random.nextBoolean()) {
				rule.maxWait(Duration.ofMillis(3));
			}
			else if (random.nextInt(4) == 0) {
				rule.ban(new Ban(1 + random.nextInt(2), Duration.ofMinutes(1), Duration.ofSeconds(2)));
			}
			return rule.build();
		}

	}

}
