package io.github.ratelimit.sample.playground;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.sample.DecisionCounts;
import io.github.ratelimit.sample.ForumTest;
import io.github.ratelimit.sample.browser.Browser;
import io.github.ratelimit.sample.browser.SharedBrowser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the page at {@code /} in a browser: it draws the decisions of the starter.
 */
@ForumTest
@Timeout(240)
class PlaygroundBrowserTests {

	private static final Map<String, String> ANYTHING = Map.of("max", "20", "period", "10s", "burst", "5", "segments",
			"8", "align", "first-request", "warm-up-period", "5s", "cold-factor", "4", "min-interval", "1ms",
			"max-wait", "1s", "count-denied", "true");

	@RegisterExtension
	static final SharedBrowser shared = new SharedBrowser();

	private static Browser browser;

	@LocalServerPort
	private int port;

	@Autowired
	private RateLimiterRegistry registry;

	@Autowired
	private Playground playground;

	@Autowired
	private LoadSlider load;

	@Autowired
	private DecisionCounts counts;

	private PlaygroundPage page;

	private Visit visit;

	@BeforeAll
	static void start() {
		browser = shared.get();
	}

	@BeforeEach
	void open() {
		await().atMost(Duration.ofMinutes(1)).until(() -> this.playground.visits().isEmpty());
		this.load.moveTo(0);
		this.counts.clear();
		browser.resize(1280, 1000, 1);
		browser.prefer("light", false);
		this.page = PlaygroundPage.open(browser, this.port);
		this.visit = this.playground.visits().iterator().next();
	}

	@AfterEach
	void leaveWithoutErrors() {
		List<String> errors = browser.errors();
		browser.leave();
		assertThat(errors).isEmpty();
	}

	@Test
	void drawsCallsSentByHand() {
		LaneOfPage log = this.page.lane("a").choose("sliding-log").write("max", "5").write("period", "1h");
		LaneOfPage bucket = this.page.lane("b").choose("token-bucket").write("max", "3").write("period", "1h");
		log.awaitState("applied");
		bucket.awaitState("applied");
		this.page.choose("By hand");
		this.page.button("Send 10").click();
		LaneView inLog = log.await((view) -> view.calls() == 10 && view.drawsAllCallsAndNoOther());
		LaneView inBucket = bucket.await((view) -> view.calls() == 10 && view.drawsAllCallsAndNoOther());
		assertThat(inLog.drawn("admitted")).containsExactly(1d, 2d, 3d, 4d, 5d);
		assertThat(inLog.numbers()).containsEntry("admitted", "5").containsEntry("denied", "5");
		assertThat(inLog.number("remaining")).isEqualTo("0");
		assertThat(inLog.lastDrawn("used")).isEqualTo(5 - limiter("a").peek(this.visit.id()).remaining());
		assertThat(inBucket.numbers()).containsEntry("admitted", "3").containsEntry("denied", "7");
		assertThat(inBucket.number("remaining")).isEqualTo("0");
		assertThat(limiter("b").peek(this.visit.id()).remaining()).isZero();
		assertCounted("a");
		assertCounted("b");
		this.page.button("Clear").click();
		log.await((view) -> view.calls() == 0 && view.number("remaining").equals("5"));
		assertThat(limiter("a").peek(this.visit.id()).remaining()).isEqualTo(5);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Steady", "Bursts", "Attack" })
	void drawsTraffic(String shape) {
		LaneOfPage log = this.page.lane("a").choose("sliding-log").write("max", "1000").write("period", "1h");
		LaneOfPage queue = this.page.lane("b")
			.choose("leaky-bucket")
			.write("max", "2")
			.write("period", "1s")
			.write("max-wait", "1s");
		log.awaitState("applied");
		queue.awaitState("applied");
		this.page.choose(shape);
		this.page.hurry();
		this.page.start();
		LaneView running = queue
			.await((view) -> view.calls() > 20 && view.count("denied") > 0 && !view.drawn("wait").isEmpty());
		this.page.stop();
		assertThat(running.drawn("wait")).allMatch((wait) -> wait <= 1);
		assertThat(running.lastDrawn("capacity")).isEqualTo(3);
		this.page.await(() -> isCounted("a") && isCounted("b"));
		LaneView stopped = log.await((view) -> view.lastDrawn("used") == view.count("admitted"));
		long remaining = limiter("a").peek(this.visit.id()).remaining();
		assertThat(stopped.number("remaining")).isEqualTo(String.valueOf(remaining));
		assertThat(stopped.number("admitted")).isEqualTo(String.valueOf(1000 - remaining));
		assertThat(stopped.lastDrawn("used")).isEqualTo(1000 - remaining);
		assertThat(stopped.lastDrawn("capacity")).isEqualTo(1000);
		assertThat(queue.view().calls()).isEqualTo(stopped.calls());
	}

	@Test
	void offersEveryAlgorithmWithItsSettings() {
		LaneOfPage lane = this.page.lane("a");
		for (String algorithm : lane.algorithms()) {
			lane.choose(algorithm);
			lane.offered(ANYTHING.keySet()).forEach((field) -> lane.write(field, ANYTHING.get(field)));
			lane.awaitState("applied");
			RateLimitRule rule = limiter("a").rule();
			assertThat(rule.limits().get(0).algorithm().yamlName()).isEqualTo(algorithm);
			assertThat(lane.hasMistakes()).isFalse();
			assertIsTheSame(RuleInYaml.read(lane.yaml(), "reply"), rule);
		}
	}

	@Test
	void followsTheLoad() {
		this.page.play("Under load");
		LaneOfPage lane = this.page.lane("b");
		lane.awaitState("applied");
		assertIsTheSame(RuleInYaml.read(lane.yaml(), "reply"), limiter("b").rule());
		lane.await((view) -> view.lastDrawn("capacity") == 10);
		this.page.field("load").sendKeys(Keys.END);
		lane.await((view) -> view.lastDrawn("capacity") == 2 && view.level().endsWith("max is 2"));
		Decision decision = limiter("b").peek(this.visit.id());
		assertThat(decision.limit()).isEqualTo(2);
		this.page.field("load").sendKeys(Keys.PAGE_DOWN, Keys.PAGE_DOWN, Keys.PAGE_DOWN);
		lane.await((view) -> view.lastDrawn("capacity") == 4 && this.load.value() == 0.7);
		this.page.field("load").sendKeys(Keys.HOME);
		lane.await((view) -> view.lastDrawn("capacity") == 10);
	}

	@Test
	void showsTwoPlansOfOneCounter() {
		this.page.play("Two plans, one counter");
		this.page.hurry();
		LaneOfPage free = this.page.lane("a");
		LaneOfPage pro = this.page.lane("b");
		LaneView ofFree = free.await((view) -> view.drawn("denied").size() > 2);
		LaneView ofPro = pro.await((view) -> view.lastDrawn("used") > 5);
		RateLimitRule rule = limiter("plans").rule();
		assertThat(rule.plans().keySet()).containsExactly("free", "pro");
		assertThat(RuleInYaml.read(pro.yaml(), "reply").plans().get("pro")).isEqualTo(rule.plans().get("pro"));
		assertThat(ofFree.lastDrawn("capacity")).isEqualTo(5);
		assertThat(ofPro.lastDrawn("capacity")).isEqualTo(15);
	}

	@Test
	void showsABan() {
		this.page.play("Denied too often: a ban");
		this.page.hurry();
		LaneOfPage lane = this.page.lane("b");
		lane.await((view) -> view.drawn("denied").size() > 5);
		assertThat(lane.yaml()).contains("ban: { after: 5, within: 10s, lasting: 20s }");
		assertThat(limiter("b").rule().ban()).isNotNull();
		assertThat(limiter("a").rule().ban()).isNull();
	}

	@Test
	void showsSlowCallsThatHoldSlots() {
		this.page.play("Slow calls, three at a time");
		this.page.hurry();
		LaneOfPage lane = this.page.lane("b");
		LaneView full = lane
			.await((view) -> !view.drawn("denied").isEmpty() && view.number("retryAfter").equals("unknown"));
		assertThat(full.drawn("used")).allMatch((used) -> used <= 3);
		assertThat(full.level()).endsWith("of 3 slots are held by calls that run; max is 3");
		assertIsTheSame(RuleInYaml.read(lane.yaml(), "reply"), limiter("b").rule());
		this.page.stop();
		lane.await((view) -> view.lastDrawn("used") == 0);
		assertThat(limiter("b").peek(this.visit.id()).remaining()).isEqualTo(3);
	}

	@Test
	void warmsUp() {
		this.page.play("Warm-up");
		LaneOfPage lane = this.page.lane("b");
		lane.await((view) -> view.level().contains("warmed up") && view.lastDrawn("used") > 3);
		lane.await((view) -> view.lastDrawn("used") > 10);
		// each call heats, each pause of a busy browser cools
		this.page.await(() -> limiter("b").peek(this.visit.id()).resetAfter().compareTo(Duration.ofMillis(900)) > 0);
	}

	@Test
	void showsWhyARuleIsRefusedBesideTheField() {
		LaneOfPage lane = this.page.lane("a").choose("sliding-log").write("max", "20000");
		lane.awaitState("refused");
		assertThat(lane.mistake("max")).isEqualTo(catchThrowableOfType(IllegalArgumentException.class,
				() -> Limit.of(20000, Duration.ofSeconds(5)).withAlgorithm(Algorithm.SLIDING_LOG))
			.getMessage());
		assertThat(lane.field("max").getDomAttribute("aria-invalid")).isEqualTo("true");
		lane.write("max", "20").write("period", "soon");
		lane.awaitState("refused");
		assertThat(lane.mistake("period")).isEqualTo("This is no duration. Write 10s or 200ms for example.");
		lane.write("period", "10s");
		lane.awaitState("applied");
		assertThat(lane.hasMistakes()).isFalse();
		assertThat(limiter("a").rule().limits().get(0).max()).isEqualTo(20);
		assertThat(browser.errors()).isNotEmpty().allMatch((error) -> error.contains("status of 422"));
	}

	@Test
	void isOperatedByKeysAlone() {
		assertThat(this.page.reachedByTab()).containsAll(this.page.controls());
		this.page.label("Steady").findElement(By.tagName("input")).sendKeys(Keys.ARROW_LEFT);
		assertThat(this.page.focused().getDomProperty("value")).isEqualTo("by-hand");
		this.page.tabTo(this.page.button("Send 1"));
		this.page.press(Keys.SPACE);
		this.page.lane("a").await((view) -> view.calls() == 1);
		this.page.press(Keys.ENTER);
		this.page.lane("a").await((view) -> view.calls() == 2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "light", "dark" })
	void hasReadableColors(String scheme) {
		browser.prefer(scheme, false);
		assertThat(this.page.contrasts("panel", "ink", "quiet", "accent", "admitted", "denied", "wait"))
			.allMatch((contrast) -> contrast >= 4.5);
		assertThat(this.page.contrasts("ground", "ink", "quiet", "accent")).allMatch((contrast) -> contrast >= 4.5);
		assertThat(this.page.contrasts("accent", "on-accent")).allMatch((contrast) -> contrast >= 4.5);
	}

	@Test
	void fitsNarrowScreens() {
		browser.resize(360, 740, 1);
		LaneOfPage lane = this.page.lane("a");
		lane.toggleAdaptive();
		this.page.run("document.querySelectorAll('details').forEach((details) => details.open = true)");
		for (String algorithm : lane.algorithms()) {
			lane.choose(algorithm);
			lane.awaitState("applied");
			assertThat(this.page.width()).as(algorithm).isEqualTo(360);
		}
		this.page.play("A queue instead of denials");
		this.page.lane("b").await((view) -> !view.drawn("wait").isEmpty());
		assertThat(this.page.width()).isEqualTo(360);
	}

	@Test
	void opensWithASceneRunning() {
		browser.prefer("light", true);
		this.page = PlaygroundPage.open(browser, this.port);
		this.page.lane("a").await((view) -> view.calls() > 2 && !view.drawn("admitted").isEmpty());
		assertThat(this.page.isRunning()).isTrue();
		assertThat(this.page.button("The edge of a window").getDomAttribute("aria-pressed")).isEqualTo("true");
	}

	@Test
	void drawsNoCallOfTheSceneBefore() {
		LaneOfPage lane = this.page.lane("b");
		for (String scene : List.of("Warm-up", "A queue instead of denials", "The edge of a window")) {
			this.page.play(scene);
			// before calls leave the chart
			lane.await(Duration.ofSeconds(10), (view) -> view.calls() > 0 && view.drawsAllCallsAndNoOther());
		}
	}

	@Test
	void describesTheResultInWords() {
		this.page.play("The edge of a window");
		this.page.lane("a").await((view) -> view.calls() > 3);
		this.page.lane("b").await((view) -> view.calls() > 3);
		assertThat((String) this.page.run("return document.getElementById('summary').textContent"))
			.matches("A, fixed-window: [1-9]\\d* admitted, \\d+ denied, \\d+ remaining\\. B, sliding-log: .*");
		assertThat(this.page.run("""
				const shown = [...document.querySelectorAll('.lane')].map((lane) => {
				  const number = (name) => lane.querySelector(`[data-number=${name}]`).textContent;
				  return `${number('admitted')} admitted, ${number('denied')} denied, ${number('remaining')} remaining`;
				});
				return shown.every((text) => document.getElementById('summary').textContent.includes(text));"""))
			.isEqualTo(true);
		assertThat(this.page.field("announcement").getDomAttribute("aria-live")).isEqualTo("polite");
	}

	@Test
	void stopsWhenTheBrowserLeaves() {
		this.page.play("An attack");
		browser.leave();
		await().atMost(Duration.ofMinutes(1)).until(() -> this.playground.visits().isEmpty());
	}

	private RateLimiter limiter(String lane) {
		return this.registry.limiter(this.visit.rule(lane));
	}

	private void assertCounted(String lane) {
		this.page.await(() -> isCounted(lane));
	}

	/**
	 * Return whether the page shows the counts of the starter.
	 */
	private boolean isCounted(String lane) {
		LaneView view = this.page.lane(lane).view();
		return view.number("admitted").equals(this.counts.admitted(this.visit.rule(lane)))
				&& view.number("denied").equals(this.counts.denied(this.visit.rule(lane)));
	}

	private static void assertIsTheSame(RateLimitRule written, RateLimitRule inForce) {
		assertThat(written.limits()).isEqualTo(inForce.limits());
		assertThat(written.maxWait()).isEqualTo(inForce.maxWait());
	}

}
