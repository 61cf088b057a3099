package io.github.ratelimit.autoconfigure.manyforgotten;

import io.github.ratelimit.annotation.RateLimited;

import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.context.annotation.Configuration;

/**
 * Application in which seven annotated classes are not beans.
 */
@Configuration(proxyBeanMethods = false)
@AutoConfigurationPackage
public class ManyForgottenApplication {

	@RateLimited(max = 5, period = 60)
	static class A {

	}

	@RateLimited(max = 5, period = 60)
	static class C {

	}

	@RateLimited(max = 5, period = 60)
	static class D {

	}

	@RateLimited(max = 5, period = 60)
	static class E {

	}

	@RateLimited(max = 5, period = 60)
	static class F {

	}

	@RateLimited(max = 5, period = 60)
	static class G {

	}

	@RateLimited(max = 5, period = 60)
	static class H {

	}

}
