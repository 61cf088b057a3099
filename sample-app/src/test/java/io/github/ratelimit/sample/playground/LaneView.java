package io.github.ratelimit.sample.playground;

import java.util.List;
import java.util.Map;

import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.WebElement;

/**
 * What a lane shows at one moment. The chart keeps the last twenty seconds only, which a
 * busy machine may spend between two looks.
 *
 * @param numbers the displayed numbers: {@code admitted}, {@code wait} for example
 * @param chart the drawn values of each dataset: {@code used}, {@code capacity},
 * {@code admitted}, {@code denied}, {@code wait} and calls per second
 * @param level the fill level in words
 */
record LaneView(Map<String, String> numbers, Map<String, List<Number>> chart, String level) {

	@SuppressWarnings("unchecked")
	static LaneView of(JavascriptExecutor browser, WebElement lane) {
		Map<String, Object> shown = (Map<String, Object>) browser.executeScript("""
				drawFrames();
				const [lane] = arguments;
				const numbers = [...lane.querySelectorAll('[data-number]')];
				const { datasets } = Chart.getChart(lane.querySelector('canvas')).data;
				return {
				  numbers: Object.fromEntries(numbers.map((number) => [number.dataset.number, number.textContent])),
				  chart: Object.fromEntries(datasets.map(({ label, data }) => [label, data.map(({ y }) => y)])),
				  level: lane.querySelector('.level-text').textContent,
				};""", lane);
		return new LaneView((Map<String, String>) shown.get("numbers"), (Map<String, List<Number>>) shown.get("chart"),
				(String) shown.get("level"));
	}

	String number(String name) {
		return this.numbers.get(name);
	}

	int calls() {
		return count("admitted") + count("denied");
	}

	int count(String number) {
		String shown = number(number);
		return shown.equals("–") ? 0 : Integer.parseInt(shown);
	}

	List<Double> drawn(String dataset) {
		return this.chart.get(dataset).stream().map(Number::doubleValue).toList();
	}

	/**
	 * Return the last drawn value.
	 */
	double lastDrawn(String dataset) {
		List<Double> values = drawn(dataset);
		return values.isEmpty() ? Double.NaN : values.get(values.size() - 1);
	}

	/**
	 * Return whether there is one dot for each call that was counted.
	 */
	boolean drawsAllCallsAndNoOther() {
		return drawn("admitted").size() == count("admitted") && drawn("denied").size() == count("denied");
	}

}
