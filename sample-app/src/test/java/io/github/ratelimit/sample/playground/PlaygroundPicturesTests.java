package io.github.ratelimit.sample.playground;

import java.io.IOException;

import io.github.ratelimit.sample.ForumTest;
import io.github.ratelimit.sample.browser.Browser;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/**
 * Draws the pictures of the playground in {@code docs/images}. They differ in every run,
 * so they are drawn only on demand and never compared.
 */
@ForumTest
@EnabledIfSystemProperty(named = "ratelimit.test.draw", matches = "true")
class PlaygroundPicturesTests {

	private static final int SECONDS = 17;

	@LocalServerPort
	private int port;

	@Autowired
	private LoadSlider load;

	@AutoClose
	private Browser browser;

	@BeforeEach
	void start() {
		this.load.moveTo(0);
		this.browser = Browser.start();
		this.browser.resize(1280, 800, 1.5);
	}

	@ParameterizedTest
	@CsvSource({ "The edge of a window,light,playground", "The edge of a window,dark,playground-dark",
			"A queue instead of denials,light,playground-queue", "An attack,light,playground-attack",
			"Warm-up,light,playground-warm-up" })
	void drawsScene(String scene, String scheme, String picture) throws IOException {
		this.browser.prefer(scheme, false);
		play(scene);
		this.browser.draw(picture);
	}

	@Test
	void drawsLoad() throws IOException {
		this.browser.prefer("light", false);
		PlaygroundPage page = PlaygroundPage.open(this.browser, this.port);
		page.play("Under load");
		page.await(() -> page.lane("b").seconds() > SECONDS / 2);
		page.field("load").sendKeys(Keys.END, Keys.PAGE_DOWN, Keys.PAGE_DOWN, Keys.PAGE_DOWN);
		page.await(() -> page.lane("b").seconds() > SECONDS);
		this.browser.draw("playground-load");
	}

	private void play(String scene) {
		PlaygroundPage page = PlaygroundPage.open(this.browser, this.port);
		page.play(scene);
		page.await(() -> page.lane("b").seconds() > SECONDS);
	}

}
