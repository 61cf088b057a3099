package io.github.ratelimit.autoconfigure;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Warning about rules for outgoing requests without a client that they apply to. Spring
 * Boot 4 has its clients in modules of their own.
 */
record MissingClientWarning(BeanFactory beans) implements SmartInitializingSingleton {

	private static final Logger logger = System.getLogger(MissingClientWarning.class.getName());

	@Override
	public void afterSingletonsInstantiated() {
		if (!this.beans.containsBean("rateLimitRestClientCustomizer")
				&& !this.beans.containsBean("rateLimitWebClientCustomizer")) {
			logger.log(Level.WARNING,
					"ratelimit.client.requests has no effect, because Spring Boot configures no RestClient, RestTemplate "
							+ "or WebClient. Add spring-boot-starter-restclient or "
							+ "spring-boot-starter-webclient (Spring Boot 3: spring-boot-starter-web or "
							+ "spring-boot-starter-webflux), or remove the property.");
		}
	}

}
