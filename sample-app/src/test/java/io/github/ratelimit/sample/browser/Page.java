package io.github.ratelimit.sample.browser;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.support.ui.WebDriverWait;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Page in the browser.
 */
public class Page {

	private static final int MOST_CONTROLS = 200;

	private final ChromeDriver driver;

	public Page(ChromeDriver driver) {
		this.driver = driver;
	}

	protected ChromeDriver driver() {
		return this.driver;
	}

	public WebElement find(String selector) {
		return this.driver.findElement(By.cssSelector(selector));
	}

	public WebElement label(String text) {
		return this.driver.findElement(By.xpath("//label[normalize-space()='" + text + "']"));
	}

	public WebElement button(String text) {
		return this.driver.findElement(By.xpath("//button[normalize-space()='" + text + "']"));
	}

	public WebElement field(String id) {
		return this.driver.findElement(By.id(id));
	}

	/**
	 * Press keys in the focused element.
	 */
	public void press(CharSequence... keys) {
		new Actions(this.driver).sendKeys(keys).perform();
	}

	public WebElement focused() {
		return this.driver.switchTo().activeElement();
	}

	/**
	 * Press the tab key until the focus returns, and return the elements that had it.
	 */
	public Set<WebElement> reachedByTab() {
		Set<WebElement> reached = new LinkedHashSet<>();
		for (int i = 0; i < MOST_CONTROLS; i++) {
			press(Keys.TAB);
			if (!reached.add(focused())) {
				return reached;
			}
		}
		throw new AssertionError("The focus does not return: " + reached);
	}

	/**
	 * Press the tab key until an element has the focus, which has to show all the way.
	 */
	public void tabTo(WebElement element) {
		for (int i = 0; i < MOST_CONTROLS; i++) {
			press(Keys.TAB);
			assertThat(showsFocus()).isTrue();
			if (focused().equals(element)) {
				return;
			}
		}
		throw new AssertionError("The focus does not reach " + element);
	}

	/**
	 * Return the enabled controls, one per group of radio buttons.
	 */
	@SuppressWarnings("unchecked")
	public List<WebElement> controls() {
		return (List<WebElement>) run("""
				return [...document.querySelectorAll('a[href], button, input, select, summary')]
				  .filter((control) => control.checkVisibility() && !control.disabled)
				  .filter((control) => control.type !== 'radio' || control.checked)""");
	}

	public boolean showsFocus() {
		return !"none".equals(run("return getComputedStyle(document.activeElement).outlineStyle"));
	}

	public int width() {
		return ((Number) run("drawFrames(); return document.documentElement.scrollWidth")).intValue();
	}

	/**
	 * Return the WCAG contrast ratios, from 1 to 21, of colors of the style sheet against
	 * a background.
	 */
	@SuppressWarnings("unchecked")
	public List<Double> contrasts(String ground, String... colors) {
		List<Number> contrasts = (List<Number>) run("""
				const luminance = (name) => {
				  const hex = getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
				  const linear = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
				    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
				  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
				};
				const ground = luminance(arguments[0]);
				return arguments[1].map(luminance)
				  .map((color) => (Math.max(color, ground) + 0.05) / (Math.min(color, ground) + 0.05));""", ground,
				List.of(colors));
		return contrasts.stream().map(Number::doubleValue).toList();
	}

	public Object run(String script, Object... arguments) {
		return this.driver.executeScript(script, arguments);
	}

	/**
	 * Wait for a condition, whose elements may be replaced while it is read.
	 */
	public void await(Supplier<Boolean> condition) {
		new WebDriverWait(this.driver, Duration.ofSeconds(60), Duration.ofMillis(100))
			.ignoring(StaleElementReferenceException.class)
			.until((ignored) -> condition.get());
	}

}
