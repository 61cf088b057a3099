package io.github.ratelimit.sample.operate;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.sample.ForumTest;
import io.github.ratelimit.sample.browser.SharedBrowser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.support.ui.Select;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the page "Operate" in a browser: it shows and changes what the endpoint
 * {@code ratelimits} shows and changes.
 */
@Tag("in-ci")
@ForumTest
@Timeout(120)
class OperateBrowserTests {

	@RegisterExtension
	static final SharedBrowser shared = new SharedBrowser();

	@LocalServerPort
	private int port;

	@Autowired
	private RateLimiterRegistry registry;

	@Autowired
	private Visitors visitors;

	private OperateDesk desk;

	@BeforeEach
	void open() {
		shared.get().resize(1280, 1000, 1);
		shared.get().prefer("light", false);
		this.desk = OperateDesk.open(shared.get(), this.port);
	}

	@AfterEach
	void leaveWithoutErrors() {
		this.visitors.leave();
		List<String> errors = shared.get().errors();
		shared.get().leave();
		assertThat(errors).isEmpty();
	}

	@Test
	void listsTheRules() {
		assertThat(this.desk.textOfRule("search")).contains("30 per 1m, 15 at once · token-bucket",
				"max from ratelimit.rules.search.max");
		assertThat(this.desk.textOfRule("reply-controller-reply")).contains("5 per 1m · sliding-log",
				"max from @RateLimited on ReplyController.reply(String, String): max");
		assertThat(this.desk.text("health")).isEqualTo("The store is counting.");
		this.desk.select("login");
		assertThat(this.desk.text("rule-counts"))
			.isEqualTo("Counts #userId. 10 denials within 1m ban a key for 2m. While Redis is unavailable: local.");
		this.desk.find("#limits + details summary").click();
		assertThat(this.desk.text("sources")).contains("unless: #error == null", "ratelimit.rules.login.unless");
	}

	@Test
	void changesMaxWhileCallsCome() {
		this.registry.limiter("search").tryAcquire("crawler", 15);
		this.desk.button("Let them come").click();
		this.desk.await(() -> !this.desk.bars("allowed").isEmpty() && !this.desk.bars("denied").isEmpty());
		this.desk.write(this.desk.fieldOfRule("max"), "600", Keys.ENTER);
		this.desk.await(() -> this.desk.textOfRule("search").contains("600 per 1m"));
		assertThat(this.desk.text("curl"))
			.startsWith("curl -X POST -H 'Content-Type: application/json' -d '{\"max\":600}'")
			.endsWith("/actuator/ratelimits/search'");
		assertThat(this.desk.textOfRule("search")).contains("changed at run time", "max from run time");
		assertThat(max("search")).isEqualTo(600);
		this.desk.await(() -> this.desk.text("announcement").equals("search is changed for all instances."));
		this.desk.button("Undo all changes").click();
		this.desk.await(() -> this.desk.textOfRule("search").contains("max from ratelimit.rules.search.max"));
		assertThat(max("search")).isEqualTo(30);
		assertThat(this.desk.fieldOfRule("max").getDomProperty("value")).isEqualTo("30");
		this.desk.button("Send them away").click();
		this.desk.await(() -> !this.visitors.isActive());
	}

	@Test
	void listsWhatWasChangedAndByWhom() {
		this.registry.register(RateLimitRule.named("votes").limit(2, Duration.ofHours(1)).build());
		this.desk.await(() -> this.desk.textOfRule("votes").contains("2 per 1h"));
		this.desk.select("votes");
		this.desk.await(() -> this.desk.find("#no-changes").isDisplayed());
		this.desk.write(this.desk.fieldOfRule("max"), "7", Keys.ENTER);
		this.desk.await(() -> this.desk.text("changes").endsWith("anonymous as configured → max 7"));
		this.desk.lookUp("ann");
		this.desk.override("blocked", null, "1h");
		this.desk.await(() -> this.desk.text("changes").contains("anonymous key ann: as configured → until "));
		this.desk.select("search");
		this.desk.await(() -> !this.desk.text("changes").contains("ann:"));
	}

	@Test
	void changesOneOfSeveralLimits() {
		this.registry.register(RateLimitRule.named("sms")
			.limit(Limit.of(1, Duration.ofMinutes(1)).withName("minute"))
			.limit(Limit.of(10, Duration.ofDays(1)).withName("day"))
			.build());
		this.desk.await(() -> this.desk.textOfRule("sms").contains("1 per 1m · sliding-log; 10 per 1d · sliding-log"));
		this.desk.select("sms");
		this.desk.write(this.desk.find("#limits form:last-child [name=max]"), "20", Keys.ENTER);
		this.desk.await(() -> this.desk.textOfRule("sms").contains("1 per 1m · sliding-log; 20 per 1d"));
		this.desk.lookUp("5551234");
		this.desk.override("max of sms-day", "30", "1h");
		this.desk.await(() -> this.desk.exceptions().size() == 1);
		assertThat(this.desk.exceptions().get(0)).contains("day: max 30 until");
		this.desk.await(() -> this.desk.text("key-limits").contains("sms-day: 0 of 30 used"));
		assertThat(this.desk.text("key-limits")).contains("sms-minute: 0 of 1 used");
	}

	@Test
	void changesTheModeOfARuleWithSeveralLimits() {
		this.registry.register(RateLimitRule.named("codes")
			.limit(Limit.of(1, Duration.ofMinutes(1)).withName("minute"))
			.limit(Limit.of(10, Duration.ofDays(1)).withName("day"))
			.build());
		this.desk.await(() -> this.desk.textOfRule("codes").contains("1 per 1m"));
		this.desk.select("codes");
		new Select(this.desk.find("#limits form:last-child [name=mode]")).selectByVisibleText("shadow");
		this.desk.find("#limits form:last-child [type=submit]").click();
		this.desk.await(() -> this.desk.textOfRule("codes").contains("shadow"));
		assertThat(this.registry.limiter("codes").rule().mode()).isEqualTo(Mode.SHADOW);
		assertThat(this.desk.text("curl")).contains("-d '{\"mode\":\"shadow\"}'");
	}

	@Test
	void showsWhyAChangeIsRefused() {
		this.desk.select("login");
		this.desk.write(this.desk.fieldOfRule("max"), "20000", Keys.ENTER);
		this.desk.await(
				() -> this.desk.find("#limits .mistake").getText().startsWith("max of \"login\" = 20000 is invalid"));
		this.desk.write(this.desk.fieldOfRule("max"), "5");
		assertThat(this.desk.find("#limits .mistake").isDisplayed()).isFalse();
		assertThat(max("login")).isEqualTo(5);
		assertThat(shared.get().errors()).isNotEmpty().allMatch((error) -> error.contains("status of 400"));
	}

	@Test
	void showsTheHealthOfAStoreThatCannotAnswer() {
		this.desk.run("""
				const { fetch } = window;
				const details = { state: 'fallback', reason: 'timeout' };
				window.fetch = async (path, request) => {
				  if (path === 'health') {
				    return Response.json({ components: { ratelimit: { details } } });
				  }
				  return path.includes('?changes')
				    ? Response.json({ detail: 'Redis is gone.' }, { status: 503 }) : fetch(path, request);
				};""");
		this.desk.await(() -> this.desk.text("notice").equals("Redis is gone."));
		assertThat(this.desk.text("health")).isEqualTo("The store is fallback: timeout.");
	}

	@Test
	void explainsAKeyAndResetsIt() {
		RateLimiter search = this.registry.limiter("search");
		search.tryAcquire("a/b 100%", 15);
		this.desk.lookUp("a/b 100%");
		assertThat(this.desk.text("key-limits")).contains("of 15 used");
		assertThat(this.desk.text("explanation")).contains("Limit \"search\" admits 30 per 1m, at most 15 at once",
				"max = 30 comes from ratelimit.rules.search.max");
		this.desk.await(() -> this.desk.text("announcement").contains("Limit \"search\" admits"));
		assertThat(this.desk.text("curl")).endsWith("/actuator/ratelimits/search?key=a%2Fb%20100%25&explain'");
		this.desk.button("Reset counts").click();
		this.desk.await(() -> this.desk.text("key-limits").contains("0 of 15 used, 15 left"));
		assertThat(search.peek("a/b 100%").remaining()).isEqualTo(15);
	}

	@Test
	void overridesAKeyAndRemovesThat() {
		RateLimiter search = this.registry.limiter("search");
		this.desk.lookUp("acme");
		this.desk.override("blocked", null, "1h");
		this.desk.await(() -> this.desk.exceptions().size() == 1);
		assertThat(this.desk.exceptions().get(0)).contains("acme", "blocked until");
		assertThat(search.tryAcquire("acme").allowed()).isFalse();
		this.desk.override("max", "900", " ");
		this.desk.await(() -> this.desk.exceptions().get(0).contains("max 900 until removed"));
		assertThat(search.overrides()).containsExactly(Map.entry("acme", KeyOverride.max(900)));
		assertThat(this.desk.textOfRule("search")).contains("1 key overridden");
		this.desk.find("#exceptions .end").click();
		this.desk.await(() -> this.desk.find("#no-exceptions").isDisplayed());
		this.desk.await(() -> this.desk.focused().equals(this.desk.field("exceptions-title")));
		assertThat(search.overrides()).isEmpty();
	}

	@Test
	void blocksAndRaisesTopTalkers() {
		this.registry.register(RateLimitRule.named("orders").limit(2, Duration.ofHours(1)).build());
		RateLimiter orders = this.registry.limiter("orders");
		for (int i = 0; i < 6; i++) {
			orders.tryAcquire("ann");
		}
		for (int i = 0; i < 14; i++) {
			orders.tryAcquire("bob");
		}
		this.desk.await(() -> this.desk.textOfRule("orders").contains("2 per 1h"));
		this.desk.select("orders");
		this.desk.await(() -> this.desk.talkers()
			.equals(List.of("bob 12 75.0 % Block Raise to 4", "ann 4 25.0 % Block Raise to 4")));
		assertThat(this.desk.text("talkers-counted")).startsWith("16 calls denied since ").contains("counted in");
		assertThat(this.desk.text("talkers-table")).contains("Block denies every call of the key under this rule, "
				+ "Raise lets it make twice as many. Both hold in every instance for ten minutes");
		this.desk.find("#talkers tr:nth-child(2) .raise").click();
		this.desk.await(() -> this.desk.exceptions().size() == 1);
		assertThat(this.desk.exceptions().get(0)).contains("ann", "max 4 until");
		this.desk.await(() -> this.desk.text("announcement").equals("ann may do twice as much for ten minutes."));
		assertThat(orders.tryAcquire("ann", 2).allowed()).isTrue();
		this.desk.find("#talkers tr:first-child .block").click();
		this.desk.await(() -> this.desk.exceptions().size() == 2);
		assertThat(orders.overrides().get("bob").isBlocked()).isTrue();
		assertThat(this.desk.text("curl"))
			.startsWith("curl -X POST -H 'Content-Type: application/json' -d '{\"blocked\":true,\"lasting\":\"10m\"}'")
			.endsWith("/actuator/ratelimits/orders?key=bob'");
		this.desk.find("#talkers tr:first-child .key-of").click();
		this.desk.await(() -> this.desk.focused().equals(this.desk.field("key-title")));
		assertThat(this.desk.text("key-name")).isEqualTo("bob");
	}

	@Test
	void triesACandidateBesideTheLimitAndAdoptsIt() {
		this.registry.register(RateLimitRule.named("offers").limit(4, Duration.ofHours(1)).build());
		RateLimiter offers = this.registry.limiter("offers");
		this.desk.await(() -> this.desk.textOfRule("offers").contains("4 per 1h"));
		this.desk.select("offers");
		this.desk.tryCandidate("tight", "2");
		this.desk.await(() -> this.desk.candidates()
			.equals(List.of("in force 4 per 1h · sliding-log 0 of 0", "tight 2 per 1h · sliding-log 0 of 0  0")));
		for (int i = 0; i < 5; i++) {
			offers.tryAcquire("ann");
		}
		this.desk.await(() -> this.desk.candidates()
			.equals(List.of("in force 4 per 1h · sliding-log 1 of 5 20.0 %",
					"tight 2 per 1h · sliding-log 3 of 5 60.0 % 1")));
		this.desk.find("#candidates .adopt:not([hidden])").click();
		this.desk.await(() -> this.desk.textOfRule("offers").contains("2 per 1h"));
		assertThat(offers.peek("bob").remaining()).isEqualTo(2);
		this.desk.find("#candidates .remove:not([hidden])").click();
		this.desk.await(() -> this.desk.candidates().isEmpty());
	}

	@Test
	void showsABanAndLiftsIt() {
		RateLimiter login = this.registry.limiter("login");
		for (int i = 0; i < 16; i++) {
			login.tryAcquire("guessed");
		}
		this.desk.select("login");
		this.desk.await(() -> this.desk.exceptions().size() == 1);
		assertThat(this.desk.exceptions().get(0)).contains("guessed", "banned until");
		assertThat(this.desk.textOfRule("login")).contains("1 key banned");
		this.desk.find("#exceptions .key-of").click();
		this.desk.await(() -> this.desk.focused().equals(this.desk.field("key-title")));
		assertThat(this.desk.text("explanation")).contains("because the key is banned after 10 denials until");
		this.desk.find("#exceptions .end").click();
		this.desk.await(() -> this.desk.exceptions().isEmpty());
		assertThat(login.peek("guessed").allowed()).isTrue();
	}

	@Test
	void isOperatedByKeysAlone() {
		this.desk.lookUp("acme");
		assertThat(this.desk.reachedByTab()).containsAll(this.desk.controls());
		this.desk.rule("login").sendKeys(Keys.ENTER);
		this.desk.awaitRule("login");
		assertThat(this.desk.focused()).isEqualTo(this.desk.field("rule-title"));
		this.desk.press(Keys.TAB);
		assertThat(this.desk.focused()).isEqualTo(this.desk.fieldOfRule("max"));
		assertThat(this.desk.showsFocus()).isTrue();
		this.desk.press("6", Keys.ENTER);
		this.desk.await(() -> this.desk.textOfRule("login").contains("6 per 1m"));
		assertThat(this.desk.focused()).isEqualTo(this.desk.fieldOfRule("max"));
		this.desk.tabTo(this.desk.button("Undo all changes"));
		this.desk.press(Keys.SPACE);
		this.desk.await(() -> this.desk.textOfRule("login").contains("5 per 1m"));
	}

	@Test
	void fitsNarrowScreens() {
		shared.get().resize(360, 740, 1);
		this.desk.lookUp("acme");
		this.desk.tryCandidate("tight", "5");
		this.desk.await(() -> !this.desk.candidates().isEmpty());
		this.desk.run("document.querySelectorAll('details').forEach((details) => details.open = true)");
		for (String rule : List.of("search", "reply-controller-reply", "login", "playground-controller-open")) {
			this.desk.select(rule);
			this.desk.lookUp("somebody with a long name@subdomain.of.a.domain.example.com");
			assertThat(this.desk.width()).as(rule).isEqualTo(360);
		}
	}

	private long max(String rule) {
		return this.registry.limiter(rule).rule().limits().get(0).max();
	}

}
