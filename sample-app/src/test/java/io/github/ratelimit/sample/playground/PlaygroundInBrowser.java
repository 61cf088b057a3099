package io.github.ratelimit.sample.playground;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.sample.DecisionCounts;
import io.github.ratelimit.sample.ForumTest;
import io.github.ratelimit.sample.browser.Browser;
import io.github.ratelimit.sample.browser.SharedBrowser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Page of the playground, opened for each test at rest and left without errors.
 */
@Tag("in-ci")
@ForumTest
@Timeout(240)
abstract class PlaygroundInBrowser {

	@RegisterExtension
	static final SharedBrowser shared = new SharedBrowser();

	@LocalServerPort
	private int port;

	@Autowired
	private Playground playground;

	@Autowired
	private LoadSlider load;

	@Autowired
	private DecisionCounts counts;

	private PlaygroundPage page;

	private Visit visit;

	@BeforeEach
	void openAtRest() {
		awaitNoVisit();
		this.load.moveTo(0);
		this.counts.clear();
		browser().resize(1280, 1000, 1);
		browser().prefer("light", false);
		open();
		this.visit = this.playground.visits().iterator().next();
	}

	@AfterEach
	void leaveWithoutErrors() {
		List<String> errors = browser().errors();
		browser().leave();
		assertThat(errors).isEmpty();
	}

	final void open() {
		this.page = PlaygroundPage.open(browser(), this.port);
	}

	final void awaitNoVisit() {
		await().atMost(Duration.ofMinutes(1)).until(() -> this.playground.visits().isEmpty());
	}

	final Browser browser() {
		return shared.get();
	}

	final PlaygroundPage page() {
		return this.page;
	}

	/**
	 * Return the visit of the page that was opened at rest.
	 */
	final Visit visit() {
		return this.visit;
	}

}
