package io.github.ratelimit.sample.playground;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * Page of the playground in the browser.
 */
final class PlaygroundPage {

	private final ChromeDriver driver;

	PlaygroundPage(ChromeDriver driver) {
		this.driver = driver;
		await(() -> List.of("a", "b").stream().allMatch((lane) -> lane(lane).state().equals("applied")));
	}

	LaneOfPage lane(String name) {
		return new LaneOfPage(this.driver, this.driver.findElement(By.cssSelector("[data-lane=" + name + "]")));
	}

	void choose(String shape) {
		label(shape).click();
	}

	WebElement label(String text) {
		return this.driver.findElement(By.xpath("//label[normalize-space()='" + text + "']"));
	}

	WebElement button(String text) {
		return this.driver.findElement(By.xpath("//button[normalize-space()='" + text + "']"));
	}

	WebElement field(String id) {
		return this.driver.findElement(By.id(id));
	}

	void play(String scene) {
		button(scene).click();
		await(() -> field("start").getText().equals("Stop"));
	}

	void start() {
		button("Start").click();
		await(() -> field("start").getText().equals("Stop"));
	}

	void stop() {
		button("Stop").click();
		await(() -> field("start").getText().equals("Start"));
	}

	/**
	 * Press keys in the focused element.
	 */
	void press(CharSequence... keys) {
		new Actions(this.driver).sendKeys(keys).perform();
	}

	WebElement focused() {
		return this.driver.switchTo().activeElement();
	}

	/**
	 * Return the enabled controls, one per group of radio buttons.
	 */
	@SuppressWarnings("unchecked")
	List<WebElement> controls() {
		return (List<WebElement>) run("""
				return [...document.querySelectorAll('button, input, select, summary')]
				  .filter((control) => control.checkVisibility() && !control.disabled)
				  .filter((control) => control.type !== 'radio' || control.checked)""");
	}

	/**
	 * Return the WCAG contrast ratios, from 1 to 21, of colors of the style sheet against
	 * a background.
	 */
	@SuppressWarnings("unchecked")
	List<Double> contrasts(String ground, String... colours) {
		List<Number> contrasts = (List<Number>) run("""
				const luminance = (name) => {
				  const hex = getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
				  const linear = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
				    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
				  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
				};
				const ground = luminance(arguments[0]);
				return arguments[1].map(luminance)
				  .map((colour) => (Math.max(colour, ground) + 0.05) / (Math.min(colour, ground) + 0.05));""", ground,
				List.of(colours));
		return contrasts.stream().map(Number::doubleValue).toList();
	}

	Object run(String script, Object... arguments) {
		return this.driver.executeScript(script, arguments);
	}

	void await(Supplier<Boolean> condition) {
		new WebDriverWait(this.driver, Duration.ofSeconds(60), Duration.ofMillis(50))
			.until((ignored) -> condition.get());
	}

}
