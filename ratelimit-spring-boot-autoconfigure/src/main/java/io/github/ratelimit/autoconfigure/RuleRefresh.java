package io.github.ratelimit.autoconfigure;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Set;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.engine.RelaxedName;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.interceptor.LimitedMethodSource;
import io.github.ratelimit.web.LimitHeaders;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;

/**
 * Listener that binds the rules again when Spring Cloud changes the environment. Spring
 * Cloud is known only by the name of its event.
 */
@ConditionalOnClass(name = RuleRefresh.EVENT)
@ConditionalOnMissingBean(RuleRefresh.class)
final class RuleRefresh implements GenericApplicationListener {

	static final String EVENT = "org.springframework.cloud.context.environment.EnvironmentChangeEvent";

	private static final Logger logger = System.getLogger(RuleRefresh.class.getName());

	private final BeanFactory beans;

	private final Environment environment;

	private Map<String, String> defaults;

	RuleRefresh(BeanFactory beans, Environment environment) {
		this.beans = beans;
		this.environment = environment;
		this.defaults = defaults();
	}

	@Override
	public boolean supportsEventType(ResolvableType eventType) {
		return eventType.toClass().getName().equals(EVENT);
	}

	@Override
	public void onApplicationEvent(ApplicationEvent event) {
		checkDefaults();
		try {
			Map<String, RuleProperties> rules = Binder.get(this.environment)
				.bind("ratelimit.rules", Bindable.mapOf(String.class, RuleProperties.class),
						new StrictBinding(new NoUnboundElementsBindHandler(BindHandler.DEFAULT,
								new UnboundElementsSourceFilter())))
				.orElse(Map.of());
			PropertyChecks.checkHeaders(rules);
			RuleRegistry changed = this.beans.getBean(RuleRegistry.class);
			Set<RelaxedName> unchanged = changed.reconfigure(ConfiguredRules.of(rules),
					(mistake) -> refused("The rule stays", mistake));
			this.beans.getBeanProvider(LimitHeaders.class)
				.ifAvailable((formats) -> formats.configure(RuleProperties.headers(rules), unchanged));
			ListedNetworks networks = new ListedNetworks(new RuleExpressions(
					this.beans.getBean(LimitedMethodSource.class), this.beans.getBean(RateLimitProperties.class)));
			changed.rules()
				.forEach((rule) -> networks.verify(rule,
						(mistake) -> logger.log(Level.ERROR,
								"The environment has changed, and an entry of a list matches no key. "
										+ mistake.getMessage())));
		}
		catch (RateLimitConfigurationException ex) {
			refused("All rules stay", ex);
		}
		catch (BindException ex) {
			RateLimitConfigurationException mistake = BindingMistakes.of(ex, this.environment);
			String reason = (mistake != null) ? mistake.getMessage()
					: ex.getMessage() + ". " + NestedExceptionUtils.getMostSpecificCause(ex).getMessage();
			logger.log(Level.ERROR, "The environment has changed, but the rate limit rules cannot be read: " + reason
					+ " All rules stay as they were.");
		}
	}

	private void checkDefaults() {
		Map<String, String> changed = defaults();
		if (!changed.equals(this.defaults)) {
			this.defaults = changed;
			logger.log(Level.ERROR, "The environment has changed, but ratelimit.defaults cannot change while the "
					+ "application runs. Rules keep the earlier ones. Start the application anew.");
		}
	}

	private Map<String, String> defaults() {
		return Binder.get(this.environment)
			.bind("ratelimit.defaults", Bindable.mapOf(String.class, String.class))
			.orElse(Map.of());
	}

	private static void refused(String consequence, RateLimitConfigurationException mistake) {
		logger.log(Level.ERROR, "The environment has changed, but a rate limit rule cannot be changed accordingly. "
				+ consequence + " as before. " + mistake.getMessage());
	}

}
