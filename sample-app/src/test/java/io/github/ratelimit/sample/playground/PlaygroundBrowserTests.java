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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for the page at {@code /} in a browser: it draws the decisions of the starter.
 */
class PlaygroundBrowserTests extends PlaygroundInBrowser {

	private static final Map<String, String> ANYTHING = Map.of("max", "20", "period", "10s", "burst", "5", "segments",
			"8", "align", "first-request", "warm-up-period", "5s", "cold-factor", "4", "min-interval", "1ms",
			"max-wait", "1s", "count-denied", "true");

	@Autowired
	private RateLimiterRegistry registry;

	@Autowired
	private LoadSlider load;

	@Autowired
	private DecisionCounts counts;

	@Test
	void drawsCallsSentByHand() {
		LaneOfPage log = page().lane("a").choose("sliding-log").write("max", "5").write("period", "1h");
		LaneOfPage bucket = page().lane("b").choose("token-bucket").write("max", "3").write("period", "1h");
		log.awaitState("applied");
		bucket.awaitState("applied");
		page().choose("By hand");
		page().button("Send 10").click();
		LaneView inLog = log.await((view) -> view.calls() == 10 && view.drawsAllCallsAndNoOther());
		LaneView inBucket = bucket.await((view) -> view.calls() == 10 && view.drawsAllCallsAndNoOther());
		assertThat(inLog.drawn("admitted")).containsExactly(1d, 2d, 3d, 4d, 5d);
		assertThat(inLog.numbers()).containsEntry("admitted", "5").containsEntry("denied", "5");
		assertThat(inLog.number("remaining")).isEqualTo("0");
		assertThat(inLog.lastDrawn("used")).isEqualTo(5 - limiter("a").peek(visit().id()).remaining());
		assertThat(inBucket.numbers()).containsEntry("admitted", "3").containsEntry("denied", "7");
		assertThat(inBucket.number("remaining")).isEqualTo("0");
		assertThat(limiter("b").peek(visit().id()).remaining()).isZero();
		assertCounted("a");
		assertCounted("b");
		page().button("Clear").click();
		log.await((view) -> view.calls() == 0 && view.number("remaining").equals("5"));
		assertThat(limiter("a").peek(visit().id()).remaining()).isEqualTo(5);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Steady", "Bursts", "Attack" })
	void drawsTraffic(String shape) {
		LaneOfPage log = page().lane("a").choose("sliding-log").write("max", "1000").write("period", "1h");
		LaneOfPage queue = page().lane("b")
			.choose("leaky-bucket")
			.write("max", "2")
			.write("period", "1s")
			.write("max-wait", "1s");
		log.awaitState("applied");
		queue.awaitState("applied");
		page().choose(shape);
		page().hurry();
		page().start();
		LaneView running = queue
			.await((view) -> view.calls() > 20 && view.count("denied") > 0 && !view.drawn("wait").isEmpty());
		page().stop();
		assertThat(running.drawn("wait")).allMatch((wait) -> wait <= 1);
		assertThat(running.lastDrawn("capacity")).isEqualTo(3);
		page().await(() -> isCounted("a") && isCounted("b"));
		LaneView stopped = log.await((view) -> view.lastDrawn("used") == view.count("admitted"));
		long remaining = limiter("a").peek(visit().id()).remaining();
		assertThat(stopped.number("remaining")).isEqualTo(String.valueOf(remaining));
		assertThat(stopped.number("admitted")).isEqualTo(String.valueOf(1000 - remaining));
		assertThat(stopped.lastDrawn("used")).isEqualTo(1000 - remaining);
		assertThat(stopped.lastDrawn("capacity")).isEqualTo(1000);
		assertThat(queue.view().calls()).isEqualTo(stopped.calls());
	}

	@Test
	void offersEveryAlgorithmWithItsSettings() {
		LaneOfPage lane = page().lane("a");
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
		page().play("Under load");
		LaneOfPage lane = page().lane("b");
		lane.awaitState("applied");
		assertIsTheSame(RuleInYaml.read(lane.yaml(), "reply"), limiter("b").rule());
		lane.await((view) -> view.lastDrawn("capacity") == 10);
		page().field("load").sendKeys(Keys.END);
		lane.await((view) -> view.lastDrawn("capacity") == 2 && view.level().endsWith("max is 2"));
		Decision decision = limiter("b").peek(visit().id());
		assertThat(decision.limit()).isEqualTo(2);
		page().field("load").sendKeys(Keys.PAGE_DOWN, Keys.PAGE_DOWN, Keys.PAGE_DOWN);
		lane.await((view) -> view.lastDrawn("capacity") == 4 && this.load.value() == 0.7);
		page().field("load").sendKeys(Keys.HOME);
		lane.await((view) -> view.lastDrawn("capacity") == 10);
	}

	@Test
	void showsTwoPlansOfOneCounter() {
		page().play("Two plans, one counter");
		page().hurry();
		LaneOfPage free = page().lane("a");
		LaneOfPage pro = page().lane("b");
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
		page().play("Denied too often: a ban");
		page().hurry();
		LaneOfPage lane = page().lane("b");
		lane.await((view) -> view.drawn("denied").size() > 5);
		assertThat(lane.yaml()).contains("ban: { after: 5, within: 10s, lasting: 20s }");
		assertThat(limiter("b").rule().ban()).isNotNull();
		assertThat(limiter("a").rule().ban()).isNull();
	}

	@Test
	void showsSlowCallsThatHoldSlots() {
		page().play("Slow calls, three at a time");
		page().hurry();
		LaneOfPage lane = page().lane("b");
		LaneView full = lane
			.await((view) -> !view.drawn("denied").isEmpty() && view.number("retryAfter").equals("unknown"));
		assertThat(full.drawn("used")).allMatch((used) -> used <= 3);
		assertThat(full.level()).endsWith("of 3 slots are held by calls that run; max is 3");
		assertIsTheSame(RuleInYaml.read(lane.yaml(), "reply"), limiter("b").rule());
		page().stop();
		lane.await((view) -> view.lastDrawn("used") == 0);
		assertThat(limiter("b").peek(visit().id()).remaining()).isEqualTo(3);
	}

	@Test
	void warmsUp() {
		page().play("Warm-up");
		LaneOfPage lane = page().lane("b");
		lane.await((view) -> view.level().contains("warmed up") && view.lastDrawn("used") > 3);
		lane.await((view) -> view.lastDrawn("used") > 10);
		// each call heats, each pause of a busy browser cools
		page().await(() -> limiter("b").peek(visit().id()).resetAfter().compareTo(Duration.ofMillis(900)) > 0);
	}

	@Test
	void showsWhyARuleIsRefusedBesideTheField() {
		LaneOfPage lane = page().lane("a").choose("sliding-log").write("max", "20000");
		lane.awaitState("refused");
		assertThat(lane.mistake("max")).isEqualTo(catchThrowableOfType(IllegalArgumentException.class,
				() -> Limit.of(20000, Duration.ofSeconds(5)).withAlgorithm(Algorithm.SLIDING_LOG))
			.getMessage());
		assertThat(lane.field("max").getDomAttribute("aria-invalid")).isEqualTo("true");
		lane.write("max", "20").write("period", "soon");
		lane.awaitState("refused");
		assertThat(lane.mistake("period")).isEqualTo("This is not a duration. Write 10s or 200ms for example.");
		lane.write("period", "10s");
		lane.awaitState("applied");
		assertThat(lane.hasMistakes()).isFalse();
		assertThat(limiter("a").rule().limits().get(0).max()).isEqualTo(20);
		assertThat(browser().errors()).isNotEmpty().allMatch((error) -> error.contains("status of 422"));
	}

	@Test
	void opensWithASceneRunning() {
		browser().prefer("light", true);
		open();
		page().lane("a").await((view) -> view.calls() > 2 && !view.drawn("admitted").isEmpty());
		assertThat(page().isRunning()).isTrue();
		assertThat(page().button("The edge of a window").getDomAttribute("aria-pressed")).isEqualTo("true");
	}

	@Test
	void drawsNoCallOfTheSceneBefore() {
		LaneOfPage lane = page().lane("b");
		for (String scene : List.of("Warm-up", "A queue instead of denials", "The edge of a window")) {
			page().play(scene);
			// before calls leave the chart
			lane.await(Duration.ofSeconds(10), (view) -> view.calls() > 0 && view.drawsAllCallsAndNoOther());
		}
	}

	@Test
	void visitThatIsLostAtItsBeginningOpensWithTheNextConnection() {
		page().run("""
				const script = document.createElement('script');
				script.type = 'module';
				script.textContent = arguments[0];
				document.head.append(script);""", """
				import { Visit } from '/playground/visit.js';
				const { EventSource } = window;
				const listeners = {};
				window.EventSource = class {
				  static CLOSED = 2;
				  addEventListener(name, listener) { listeners[name] = listener; }
				};
				const order = [];
				const later = () => new Promise((resolve) => setTimeout(resolve));
				const opened = [];
				const onOpen = () => new Promise((resolve) => opened.push(resolve));
				const visit = new Visit({ onOpen, onReport() {}, onEnd() {} });
				visit.open().then(() => order.push('open'));
				listeners.welcome({ data: '{"id": "first"}' });
				listeners.error();
				visit.open().then(() => order.push('open'));
				opened[0]();
				await later();
				order.push('welcome');
				listeners.welcome({ data: '{"id": "second"}' });
				opened[1]();
				await later();
				window.EventSource = EventSource;
				window.order = order;""");
		page().await(() -> page().run("return window.order") != null);
		assertThat(page().run("return window.order")).isEqualTo(List.of("welcome", "open", "open"));
	}

	@Test
	void stopsWhenTheBrowserLeaves() {
		page().play("An attack");
		browser().leave();
		awaitNoVisit();
	}

	private RateLimiter limiter(String lane) {
		return this.registry.limiter(visit().rule(lane));
	}

	private void assertCounted(String lane) {
		page().await(() -> isCounted(lane));
	}

	/**
	 * Return whether the page shows the counts of the starter.
	 */
	private boolean isCounted(String lane) {
		LaneView view = page().lane(lane).view();
		return view.number("admitted").equals(this.counts.admitted(visit().rule(lane)))
				&& view.number("denied").equals(this.counts.denied(visit().rule(lane)));
	}

	private static void assertIsTheSame(RateLimitRule written, RateLimitRule inForce) {
		assertThat(written.limits()).isEqualTo(inForce.limits());
		assertThat(written.maxWait()).isEqualTo(inForce.maxWait());
	}

}
