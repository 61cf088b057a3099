package io.github.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Misspelled names in key expressions and invalid constant costs stop startup with a
 * message that states the correction.
 */
class ExpressionMistakeTests {

	private final ApplicationContextRunner runner = LimitedApplication.runner();

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			Write ip, without #.                 | #ip
			Write principal, without #.          | #principal
			Write principal, without #.          | #pricipal
			Write #userId.                       | #userID
			Write header('X-Api-Key'), without #. | #header('X-Api-Key')
			Write header('X-Api-Key').           | headers('X-Api-Key')
			Write header('X-Api-Key').           | getHeader('X-Api-Key')
			Write header('X-Api-Key').           | header(X-Api-Key)
			Write header('X-Api-Key').           | headers(X-Api-Key)
			Write header('Authorization').       | header(Authorization)
			For the parameter, write #userId.     | header(userId)
			Write header('name').                | headers['X-Api-Key']
			Write principal.                     | pricipal
			For the parameter, write #userId.     | userid
			To call a bean, write @bean.lookUp(). | lookUp(#userId)
			Write param('q').                     | getParameter('q')
			Write param('q').                     | params('q')
			Write param(#userId).                 | queryParam(#userId)
			Write cookie('s').                    | getCookie('s')
			Write claim('tenant').                | getClaimAsString('tenant')
			Write claim('name').                  | claims['tenant']
			Write pathVariable('id').             | pathVar('id')
			Write param('q').                     | param(q)
			Write ip.                             | remoteAddr
			Write ip.                             | getRemoteAddr()
			Write ip.                             | #request.remoteAddr
			Write ip.                             | #request.getRemoteAddr()
			Write ip.                             | request.remoteAddr
			Write ip.                             | #exchange.request.remoteAddress.address
			Write principal.                      | #request.userPrincipal.name
			Write principal.                      | #authentication.name
			Write header('X-Api-Key').            | #request.getHeader('X-Api-Key')
			Write header('X-Api-Key').            | #request.headers['X-Api-Key']
			Write param('q').                     | #request.getParameter('q')
			Write path.                           | #request.requestURI
			Write claim('tenant').                | #jwt.claims['tenant']
			Write claim('tenant').                | #authentication.token.claims['tenant']
			Write claim('tenant').                | #jwt.getClaimAsString('tenant')
			Write ip, path, header('name') or param('name'). | #request.session.id
			Write principal or claim('name').     | #authentication.details
			principal is a name. For a claim of the user, write claim('tenant'). | principal.claims['tenant']
			principal is a name. For a claim of the user, write claim('tenant'). | principal.claims.get('tenant')
			principal is a name. For a claim of the user, write claim('tenant'). | #root.principal.claims['tenant']
			principal is a name. For a claim of the user, write claim('tenant'). | principal.getAttribute('tenant')
			principal is a name. For a claim of the user, write claim('tenant'). | principal?.attributes['tenant']
			principal is a name. For a claim of the user, write claim('name'). | principal['tenant']
			principal is a name. For a claim of the user, write claim('name'). | principal.tenantId
			""")
	void ofNamesAreCorrected(String action, String key) {
		this.runner.withPropertyValues("ratelimit.rules.call.key=" + key)
			.withBean(Calls.class)
			.run((context) -> assertThat(context.getStartupFailure())
				.isInstanceOfSatisfying(RateLimitConfigurationException.class, (mistake) -> {
					assertThat(mistake.description()).contains("used by Calls.call(String): key \"" + key + "\" uses");
					assertThat(mistake.action()).isEqualTo(action);
				}));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					param()                   | calls param() with 0 arguments instead of one, a name. Write param('name').
					header('a', 'b')          | calls header() with 2 arguments instead of one, a name. Write header('name').
					param('')                 | calls param() with an empty name, which no request has. Write param('name').
					ip + cookie(' ')          | calls cookie() with an empty name, which no request has. Write cookie('name').
					claim('')                 | calls claim() with an empty name, which no request has. Write claim('name').
					header("")                | calls header() with an empty name, which no request has. Write header('name').
					#root.pathVariable('')    | calls pathVariable() with an empty name, which no request has. Write pathVariable('name').
					#root.param()             | calls param() with 0 arguments instead of one, a name. Write param('name').
					ip.address                | uses the property 'address' of ip, which is a text and has none. Write ip, or a property or method of a text.
					header('a').name()        | uses the method name() of header('a'), which is a text and has none. Write header('a'), or a property or method of a text.
					@tenats.of(#userId)       | uses the bean 'tenats', which does not exist. Write @tenants.
					ip + @plans.of(#userId)   | uses the bean 'plans', which does not exist. Write the name of a bean, or define one of this name.
					header(@tenats.of('a'))   | uses the bean 'tenats', which does not exist. Write @tenants.
					@tenants.off(#userId)     | calls off() of the bean 'tenants', but io.github.ratelimit.autoconfigure.ExpressionMistakeTests$Tenants has no such public method with 1 argument. Write a method that the bean has, @tenants.of() for example.
					@tenants.of(#userId, ip)  | calls of() of the bean 'tenants', but io.github.ratelimit.autoconfigure.ExpressionMistakeTests$Tenants has no such public method with 2 arguments. Write a method that the bean has, @tenants.of() for example.
					#userId.toLowercase()     | calls toLowercase() of #userId, but java.lang.String has no such public method with 0 arguments. Write a method that it has, #userId.toLowerCase() for example.
					'a' + #a0?.concat()       | calls concat() of #a0, but java.lang.String has no such public method with 0 arguments. Write a method that it has, #a0.concat() for example.
					#userId.name              | uses the property 'name' of #userId, but java.lang.String has no public method or field for it. Write a property or a method that it has.
					@tenants.all              | uses the property 'all' of the bean 'tenants', but io.github.ratelimit.autoconfigure.ExpressionMistakeTests$Tenants has no public method or field for it. Write a property or a method that the bean has.
					""")
	void ofBeansAndMembersEndStartup(String key, String problem) {
		this.runner.withPropertyValues("ratelimit.rules.call.key=" + key)
			.withBean(Calls.class)
			.withBean("tenants", Tenants.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessage("Invalid ratelimit.rules.call.key, used by Calls.call(String): key \"" + key + "\" "
						+ problem));
	}

	@ParameterizedTest
	@ValueSource(strings = { "principal.toLowerCase()", "principal[0]", "principal.length()", "ip.bytes.length",
			"header('X-Tenant').trim()", "@tenants.of(#userId)", "@tenants.name", "@tenants.any(1, 2, 3)",
			"@environment.getProperty('tenant')", "@lazy.of(#userId)", "@'tenants'.of(#userId)", "claim('tenant').id",
			"#userId.toLowerCase()", "#userId.bytes.length", "@regions.length", "@regions[0]" })
	void membersThatExistAreFine(String key) {
		this.runner.withPropertyValues("ratelimit.rules.call.key=" + key)
			.withBean(Calls.class)
			.withBean("tenants", Tenants.class)
			.withBean("regions", String[].class, () -> new String[] { "eu" })
			.withBean("lazy", Tenants.class, Tenants::new, (definition) -> definition.setLazyInit(true))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "#texts.length", "#type.valueOf('a')", "#name.length()", "#count.byteValue()" })
	void membersThatAreNotThoseOfTheDeclaredClassAreFine(String key) {
		this.runner.withPropertyValues("ratelimit.rules.others.key=" + key)
			.withBean(OtherTypes.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			NegativeCost | "-1" has to be 0 or more, but is -1. To refund units, call refund().
			BrokenCost   | "5 / 2.0" has to be a whole number, but is 2.5.
			TextCost     | "'many'" has to be a whole number, but is many.
			""")
	void ofConstantCostsEndStartup(String bean, String problem) {
		Class<?> type = List.of(NegativeCost.class, BrokenCost.class, TextCost.class)
			.stream()
			.filter((each) -> each.getSimpleName().equals(bean))
			.findFirst()
			.orElseThrow();
		this.runner.withUserConfiguration(type)
			.run((context) -> assertThat(context).getFailure()
				.hasMessage("Invalid @RateLimited on " + bean + ".call(): cost " + problem
						+ " Write how many units a call takes, cost = \"2\" or cost = \"#texts.size()\" for example."));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			'#userId'             | #userId
			'#userId' + ':reply'  | #userId + :reply
			""")
	void keyThatIsAVariableInQuotesIsRefused(String key, String remedy) {
		this.runner.withPropertyValues("ratelimit.rules.call.key=" + key)
			.withBean(Calls.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessage("Invalid ratelimit.rules.call.key, used by Calls.call(String): key \"" + key
						+ "\" is a text, so all callers would share one counter. Remove the inner quotes: \"" + remedy
						+ "\"."));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			@environment.getProperty(#tenan) | uses the unknown variable 'tenan'
			@environment.getProperty(       | is not a SpEL expression
			""")
	void ofAZoneEndsStartup(String zone, String problem) {
		this.runner
			.withPropertyValues("ratelimit.rules.quota.max=5", "ratelimit.rules.quota.calendar=day",
					"ratelimit.rules.quota.zone=" + zone)
			.withBean(Quota.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageStartingWith("Invalid ratelimit.rules.quota.zone, used by Quota.take(String): zone \"" + zone
						+ "\" " + problem));
	}

	@Test
	void conditionThatAssignsIsRefused() {
		this.runner.withBean(AssigningCondition.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessage("Invalid @RateLimited on AssigningCondition.call(String): condition \"#plan = 'free'\""
						+ " assigns a value instead of comparing. Write \"#plan == 'free'\"."));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			++#order.count                | #order.count + 1
			'a' + #order.count++          | #order.count + 1
			ip + #order.count--           | #order.count - 1
			@texts.get(--#i)              | #i - 1
			""")
	void expressionThatChangesAValueIsRefused(String key, String remedy) {
		this.runner.withPropertyValues("ratelimit.rules.changing.key=" + key)
			.withBean(Changing.class)
			.withBean("texts", ArrayList.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageStartingWith(
						"Invalid ratelimit.rules.changing.key, used by Changing.call(Order, int): key \"" + key
								+ "\" changes a value")
				.hasMessageEndingWith(" Write \"" + remedy + "\"."));
	}

	@Test
	void constantCostThatTheRuleCanNeverHoldIsRefused() {
		this.runner.withBean(LargeCost.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessage(
						"Invalid @RateLimited on LargeCost.call(): cost \"5\" is more than large-cost-call can ever "
								+ "hold, 1, so every call would be denied. Write a cost of at most 1, or a larger limit."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "max=5", "limits[0].max=5, ratelimit.rules.large-cost-call.limits[0].period=60",
			"algorithm=token-bucket, ratelimit.rules.large-cost-call.burst=5" })
	void constantCostThatTheRuleCanHoldIsNot(String properties) {
		this.runner.withPropertyValues(("ratelimit.rules.large-cost-call." + properties).split(", "))
			.withBean(LargeCost.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void emptyKeyOfThePropertiesIsRefusedIfTheAnnotationHasNone() {
		this.runner.withInitializer(YamlContext.with("ratelimit.rules.call.key: #userId"))
			.withBean(Calls.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageStartingWith("ratelimit.rules.call.key = \"\" is invalid: it is empty, so that all callers "
						+ "share one counter. In YAML quote what begins with #, key: \"#userId\";"));
	}

	static class Tenants {

		public String of(Object user) {
			return "acme";
		}

		public String getName() {
			return "tenants";
		}

		public String any(Object... users) {
			return "acme";
		}

		String hidden() {
			return "none";
		}

	}

	static class Calls {

		@RateLimited(name = "call", max = 5, period = 60)
		public void call(String userId) {
		}

	}

	static class OtherTypes {

		@RateLimited(name = "others", max = 5, period = 60)
		public void call(String[] texts, Class<?> type, Optional<String> name, int count) {
		}

	}

	static class Quota {

		@RateLimited(name = "quota", key = "#tenant")
		public void take(String tenant) {
		}

	}

	static class LargeCost {

		@RateLimited(cost = "5", max = 1, period = 60)
		public void call() {
		}

	}

	static class AssigningCondition {

		@RateLimited(condition = "#plan = 'free'", max = 5, period = 60)
		public void call(String plan) {
		}

	}

	static class Changing {

		@RateLimited(name = "changing", max = 5, period = 60)
		public void call(Order order, int i) {
		}

	}

	static class Order {

		public int count;

	}

	static class NegativeCost {

		@RateLimited(cost = "-1", max = 5, period = 60)
		public void call() {
		}

	}

	static class BrokenCost {

		@RateLimited(cost = "5 / 2.0", max = 5, period = 60)
		public void call() {
		}

	}

	static class TextCost {

		@RateLimited(cost = "'many'", max = 5, period = 60)
		public void call() {
		}

	}

}
