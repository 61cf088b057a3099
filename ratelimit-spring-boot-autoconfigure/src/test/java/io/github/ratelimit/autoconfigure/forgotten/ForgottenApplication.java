package io.github.ratelimit.autoconfigure.forgotten;

import io.github.ratelimit.annotation.RateLimited;

import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Service;

/**
 * Application in which some annotated classes are not beans.
 */
@Configuration(proxyBeanMethods = false)
@AutoConfigurationPackage
public class ForgottenApplication {

	@Bean
	BaseOfABean bean() {
		return new SubclassThatIsABean();
	}

	@Bean
	Api api() {
		return new Implementation();
	}

}

class Forgotten {

	@RateLimited(max = 5, period = 60)
	public void call() {
	}

}

@Service
class ComponentOfAChildContext {

	@RateLimited(max = 5, period = 60)
	public void call() {
	}

}

class ForgottenTwice {

	@RateLimited(name = "one", max = 5, period = 60)
	@RateLimited(name = "other", max = 50, period = 3600)
	public void call() {
	}

}

@RateLimited(max = 5, period = 60)
class ForgottenClass {

	public void call() {
	}

}

class BaseOfABean {

	@RateLimited(max = 5, period = 60)
	public void call() {
	}

}

class SubclassThatIsABean extends BaseOfABean {

}

abstract class NobodyExtends {

	@RateLimited(max = 5, period = 60)
	public void call() {
	}

}

interface Api {

	void call();

}

class Implementation implements Api {

	@Override
	@RateLimited(max = 5, period = 60)
	public void call() {
	}

}
