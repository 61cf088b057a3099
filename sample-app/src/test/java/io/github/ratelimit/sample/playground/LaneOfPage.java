package io.github.ratelimit.sample.playground;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

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
		new WebDriverWait(this.driver, Duration.ofSeconds(60), Duration.ofMillis(50))
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

	/**
	 * Return one of the displayed numbers: {@code admitted}, {@code wait} for example.
	 */
	String number(String name) {
		return this.lane.findElement(By.cssSelector("[data-number=" + name + "]")).getText();
	}

	int calls() {
		return count("admitted") + count("denied");
	}

	private int count(String name) {
		String shown = number(name);
		return shown.equals("–") ? 0 : Integer.parseInt(shown);
	}

	String level() {
		return this.lane.findElement(By.className("level-text")).getText();
	}

	String yaml() {
		return this.lane.findElement(By.tagName("code")).getDomProperty("textContent");
	}

	/**
	 * Return the drawn values of a dataset: {@code used}, {@code capacity},
	 * {@code admitted}, {@code denied}, {@code wait} and calls per second.
	 */
	@SuppressWarnings("unchecked")
	List<Double> drawn(String dataset) {
		List<Number> points = (List<Number>) this.driver.executeScript("""
				const chart = Chart.getChart(arguments[0].querySelector('canvas'));
				return chart.data.datasets.find(({ label }) => label === arguments[1]).data.map(({ y }) => y);""",
				this.lane, dataset);
		return points.stream().map(Number::doubleValue).toList();
	}

	/**
	 * Return whether there is one dot for each call that was counted.
	 */
	boolean drawsAllCallsAndNoOther() {
		return Boolean.TRUE.equals(this.driver.executeScript("""
				const { datasets } = Chart.getChart(arguments[0].querySelector('canvas')).data;
				return ['admitted', 'denied'].every((outcome) =>
				  datasets.find(({ label }) => label === outcome).data.length
				    === Number(arguments[0].querySelector(`[data-number=${outcome}]`).textContent));""", this.lane));
	}

	/**
	 * Return the last drawn point.
	 */
	double lastDrawn(String dataset) {
		List<Double> points = drawn(dataset);
		return points.isEmpty() ? Double.NaN : points.get(points.size() - 1);
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

	Map<String, String> numbers() {
		return Map.of("admitted", number("admitted"), "denied", number("denied"), "remaining", number("remaining"));
	}

}
