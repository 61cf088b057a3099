package io.github.ratelimit.sample.playground;

import java.util.stream.Stream;

import io.github.ratelimit.sample.browser.Browser;
import io.github.ratelimit.sample.browser.Page;
import org.openqa.selenium.Keys;
import org.openqa.selenium.chrome.ChromeDriver;

/**
 * Page of the playground in the browser.
 */
final class PlaygroundPage extends Page {

	private PlaygroundPage(ChromeDriver driver) {
		super(driver);
		await(() -> Stream.of("a", "b").allMatch((lane) -> lane(lane).state().equals("applied")));
	}

	static PlaygroundPage open(Browser browser, int port) {
		return browser.open("http://localhost:" + port + "/", PlaygroundPage::new);
	}

	LaneOfPage lane(String name) {
		return new LaneOfPage(driver(), find("[data-lane=" + name + "]"));
	}

	void choose(String shape) {
		label(shape).click();
	}

	void play(String scene) {
		button(scene).click();
		await(() -> isRunning());
	}

	void start() {
		button("Start").click();
		await(() -> isRunning());
	}

	/**
	 * Send as many calls per second as the page can.
	 */
	void hurry() {
		field("rate").sendKeys(Keys.END);
	}

	void stop() {
		button("Stop").click();
		await(() -> !isRunning());
	}

	boolean isRunning() {
		return field("start").getText().equals("Stop");
	}

}
