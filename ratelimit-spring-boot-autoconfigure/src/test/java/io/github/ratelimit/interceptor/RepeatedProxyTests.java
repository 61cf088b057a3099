package io.github.ratelimit.interceptor;

import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications with a second auto-proxy creator, which proxies the proxies of the first.
 */
class RepeatedProxyTests {

	private final CountingStore store = new CountingStore();

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void callTakesItsUnitsOnce(boolean ofClasses) {
		LimitedContext.with(this.store, Replies.class)
			.withBean("secondCreator", DefaultAdvisorAutoProxyCreator.class, () -> {
				DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
				creator.setProxyTargetClass(ofClasses);
				return creator;
			})
			.withPropertyValues("spring.aop.proxy-target-class=" + ofClasses)
			.run((context) -> context.getBean(Api.class).reply("laoqian"));
		assertThat(this.store.keys()).containsExactly("laoqian");
	}

	interface Api {

		@RateLimited(key = "#user", max = 5, period = 60)
		void reply(String user);

	}

	static class Replies implements Api {

		@Override
		public void reply(String user) {
		}

	}

}
