package io.github.ratelimit.sample.operate;

import java.io.IOException;

import io.github.ratelimit.sample.ForumTest;
import io.github.ratelimit.sample.browser.Browser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;

/**
 * Draws the pictures of the page "Operate" in {@code docs/images}, on demand only.
 */
@ForumTest
@TestPropertySource(properties = "ratelimit.rules.playground-controller-open.max=60")
@EnabledIfSystemProperty(named = "ratelimit.test.draw", matches = "true")
class OperatePicturesTests {

	private static final int MILLIS = 40_000;

	@LocalServerPort
	private int port;

	@LocalManagementPort
	private int managementPort;

	@Test
	void drawsKeyThatIsDenied(@Autowired Visitors visitors) throws IOException {
		try (Browser browser = Browser.start()) {
			browser.resize(1280, 800, 1.5);
			browser.prefer("light", false);
			OperateDesk desk = OperateDesk.open(browser, this.port);
			visitors.come();
			long end = System.currentTimeMillis() + MILLIS;
			desk.await(() -> desk.textOfRule("login").contains("1 key banned"));
			desk.write(desk.fieldOfRule("max"), "60", "\n");
			desk.tryCandidate("tight", "20");
			desk.lookUp("acme");
			desk.override("max", "900", "7d");
			desk.await(() -> desk.exceptions().size() == 1);
			desk.lookUp("crawler");
			desk.await(() -> System.currentTimeMillis() > end && !desk.bars("allowed").isEmpty());
			desk.run("document.activeElement.blur()");
			desk.run("document.getElementById('curl').textContent = arguments[0]",
					desk.text("curl").replace(":" + this.managementPort, ":18080"));
			browser.draw("operate");
			browser.prefer("dark", false);
			browser.draw("operate-dark");
			visitors.leave();
		}
	}

}
