package io.github.ratelimit.autoconfigure;

import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.KeyLists;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.autoconfigure.RateLimitProperties.Verification;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.interceptor.LimitedBeanVerifier;
import io.github.ratelimit.interceptor.LimitedMethodSource;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.override.RuleOverrideRegistry;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RemoteStore;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ApplicationContextEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Startup of the limiter after all beans and before the first call: it verifies
 * annotations and rules, notifies listeners from then on, connects the store, reads the
 * overrides, and warms up the fallback. A child context uses the limiter of its parent,
 * and only verifies its own beans. Listeners are not looked up earlier, since they may
 * depend on the limiter, and a registry of meters would be created too early.
 */
final class LimiterStart implements SmartInitializingSingleton, ApplicationListener<ApplicationContextEvent> {

	private static final Set<String> OF_LIMITER = Set.of("rules", "store", "keyprefix", "defaults", "adaptive", "redis",
			"jdbc", "local", "top");

	private final LimitedMethodSource methods;

	private final RuleRegistry registry;

	private final RateLimitEngine engine;

	private final RateLimitStore store;

	private final RateLimitProperties properties;

	private final ConfigurableListableBeanFactory beans;

	private final ObjectProvider<RateLimitListener> listeners;

	private final Environment environment;

	private @Nullable RuleOverrideRegistry followed;

	LimiterStart(LimitedMethodSource methods, RuleRegistry registry, RateLimitEngine engine, RateLimitStore store,
			RateLimitProperties properties, ConfigurableListableBeanFactory beans,
			ObjectProvider<RateLimitListener> listeners, Environment environment) {
		this.methods = methods;
		this.registry = registry;
		this.engine = engine;
		this.store = store;
		this.properties = properties;
		this.beans = beans;
		this.listeners = listeners;
		this.environment = environment;
	}

	@Override
	public void afterSingletonsInstantiated() {
		boolean isOfThisContext = this.beans.getBeanNamesForType(RateLimitEngine.class, true, false).length > 0;
		verify(isOfThisContext);
		if (isOfThisContext) {
			this.engine.recordTopTalkers(this.properties.top().size(), this.properties.top().calls());
			this.engine.listen(this.listeners.orderedStream().toList());
			this.engine.start();
			followOverrides();
			report();
		}
	}

	private void report() {
		if (!this.properties.enabled()) {
			StartReport.logOff();
			return;
		}
		StartReport.log(this.registry.rules(), new RuleExpressions(this.methods, this.properties), this.store,
				this.engine.isStoreAnswering(), this.properties.store());
		if (!this.properties.grpc().calls().isEmpty() && !ClassUtils
			.isPresent("org.springframework.grpc.server.GlobalServerInterceptor", this.beans.getBeanClassLoader())) {
			StartReport.warn("ratelimit.grpc.calls has no effect, because there is no server with Spring gRPC. Add "
					+ "its starter, or remove the property.");
		}
		if (!this.properties.web().requests().isEmpty() && !this.beans.containsBean("rateLimitRequestRulesStart")) {
			StartReport.warn("ratelimit.web.requests has no effect, because there is no web server with Spring MVC or "
					+ "WebFlux. Add spring-boot-starter-web or spring-boot-starter-webflux, or remove the property.");
			RegisteredRules registered = new RegisteredRules(this.beans);
			Mistakes.read(Verification.WARN, "ratelimit.web.requests", this.properties.web().requests(),
					(location, request) -> registered.limiter(location, request.rule()));
		}
	}

	/**
	 * Read the overrides if there is a store of them. Without one, only this instance
	 * creates some.
	 */
	private void followOverrides() {
		if (BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beans, OverrideStore.class).length > 0) {
			this.followed = this.beans.getBean(RuleOverrideRegistry.class);
			this.followed.start();
		}
	}

	private void verify(boolean isOfThisContext) {
		Mistakes mistakes = new Mistakes(this.properties.verification());
		if (!isOfThisContext) {
			checkOwnProperties(mistakes);
		}
		new LimitedBeanVerifier(this.methods, this::mistakeOf, mistakes).verify(this.beans);
		this.registry.verify(mistakes);
		RuleExpressions expressions = new RuleExpressions(this.methods, this.properties);
		for (RateLimitRule rule : this.registry.rules()) {
			if (rule.lists() != KeyLists.NONE) {
				new ListedNetworks(expressions).verify(rule, mistakes);
			}
			if (mistakes.areNone() && this.properties.rules().containsKey(rule.name())) {
				expressions.verifyUnused(rule, mistakes);
			}
		}
		mistakes.refuse();
	}

	private @Nullable RateLimitConfigurationException mistakeOf(String bean, Class<?> type) {
		RateLimitConfigurationException ofClass = Verification.onlyWarns(this.environment)
				? UnproxyableClass.ofUnlimited(type, this.environment) : null;
		boolean mayBeEarly = ofClass == null && this.properties.enabled() && !this.beans.getMergedBeanDefinition(bean)
			.hasAttribute(AutoProxyUtils.ORIGINAL_TARGET_CLASS_ATTRIBUTE);
		return mayBeEarly ? BeanWithoutProxy.ofUnlimited(bean, type, this.beans) : ofClass;
	}

	/**
	 * Refuse properties of the limiter that this context does not have in common with its
	 * parent, whose limiter it uses.
	 */
	private void checkOwnProperties(Mistakes mistakes) {
		Environment ofParent = Objects.requireNonNull(this.beans.getParentBeanFactory()).getBean(Environment.class);
		Set<String> own = new TreeSet<>();
		for (IterableConfigurationPropertySource source : StrictBinding.sources(this.environment)) {
			source.filter(StrictBinding.ROOT::isAncestorOf)
				.stream()
				.filter((name) -> OF_LIMITER.contains(name.getElement(1, Form.UNIFORM)))
				.map(ConfigurationPropertyName::toString)
				.filter((name) -> !Objects.equals(this.environment.getProperty(name), ofParent.getProperty(name)))
				.forEach(own::add);
		}
		if (!own.isEmpty()) {
			mistakes.accept(new RateLimitConfigurationException(
					"A child context uses the rate limiter of its parent context, which does not read "
							+ String.join(", ", own) + " of the child.",
					"Set the same for the parent context, or remove it."));
		}
	}

	/**
	 * Warm up the fallback store after startup, concurrently with the first calls.
	 * Earlier it would slow down startup, and later the store may already have failed.
	 * Stop following overrides when the application begins to shut down: the Redis client
	 * is stopped before beans are destroyed, and would then close the listening
	 * connection a second time.
	 */
	@Override
	public void onApplicationEvent(ApplicationContextEvent event) {
		if (event.getApplicationContext().getAutowireCapableBeanFactory() != this.beans) {
			return;
		}
		if (event instanceof ContextRefreshedEvent && this.store instanceof RemoteStore) {
			CompletableFuture.runAsync(this.engine::warmUpFallback);
		}
		else if (event instanceof ContextClosedEvent && this.followed != null) {
			this.followed.close();
		}
	}

}
