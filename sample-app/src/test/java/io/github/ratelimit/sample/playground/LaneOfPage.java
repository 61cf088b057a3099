package io.github.ratelimit.sample.playground;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.support.ui.Select;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * One of the two rules on the page.
 */
final class LaneOfPage {

	private final ChromeDriver driver;

	private final WebElement lane;

	LaneOfPage(ChromeDriver driver, WebElement lane) {
		this.driver = driver;
		this.lane = lane;
	}

	List<String> algorithms() {
		return algorithm().getOptions().stream().map(WebElement::getText).toList();
	}

	LaneOfPage choose(String algorithm) {
		algorithm().selectByVisibleText(algorithm);
		return this;
	}

	private Select algorithm() {
		return new Select(field("algorithm"));
	}

	WebElement field(String name) {
		return this.lane.findElement(By.name(name));
	}

	/**
	 * Return those of some fields that are displayed and not ticked.
	 */
	@SuppressWarnings("unchecked")
	List<String> offered(Collection<String> names) {
		return (List<String>) this.driver.executeScript("""
				const fields = arguments[1].map((name) => arguments[0].querySelector(`[name="${name}"]`));
				return fields.filter((field) => field.checkVisibility() && !field.checked).map(({ name }) => name);""",
				this.lane, names);
	}

	/**
	 * Fill in, select or tick a field.
	 */
	LaneOfPage write(String name, String value) {
		WebElement field = field(name);
		if (field.getTagName().equals("select")) {
			new Select(field).selectByVisibleText(value);
		}
		else if ("checkbox".equals(field.getDomAttribute("type"))) {
			field.click();
		}
		else {
			field.sendKeys(Keys.chord(Keys.CONTROL, "a"), value);
		}
		return this;
	}

	LaneOfPage toggleAdaptive() {
		this.lane.findElement(By.className("follows-load")).click();
		return this;
	}

	/**
	 * Wait until the server has validated the input.
	 */
	void awaitState(String state) {
		new WebDriverWait(this.driver, Duration.ofSeconds(60), Duration.ofMillis(100))
			.withMessage(() -> "Expected " + state + ", but it is " + state() + ": " + this.lane.getText())
			.until((ignored) -> state().equals(state));
	}

	/**
	 * {@code pending}, {@code applied} or {@code refused}.
	 */
	String state() {
		String state = this.lane.findElement(By.className("rule")).getDomAttribute("data-state");
		return (state != null) ? state : "new";
	}

	String mistake(String field) {
		return field(field).findElement(By.xpath("ancestor::label/small")).getText();
	}

	boolean hasMistakes() {
		return !this.lane.findElements(By.className("mistake")).isEmpty();
	}

	String yaml() {
		return this.lane.findElement(By.tagName("code")).getDomProperty("textContent");
	}

	LaneView view() {
		return LaneView.of(this.driver, this.lane);
	}

	/**
	 * Wait until the lane shows something, and return what it shows then.
	 */
	LaneView await(Predicate<LaneView> expected) {
		return await(Duration.ofSeconds(60), expected);
	}

	LaneView await(Duration longest, Predicate<LaneView> expected) {
		return new WebDriverWait(this.driver, longest, Duration.ofMillis(200)).withMessage(() -> "It shows " + view())
			.until((ignored) -> {
				LaneView view = view();
				return expected.test(view) ? view : null;
			});
	}

	/**
	 * Return the drawn time span in seconds.
	 */
	double seconds() {
		return ((Number) this.driver.executeScript("""
				const { datasets } = Chart.getChart(arguments[0].querySelector('canvas')).data;
				const used = datasets.find(({ label }) => label === 'used').data;
				return used.length ? used.at(-1).x - used[0].x : 0;""", this.lane)).doubleValue();
	}

}
