package io.github.ratelimit.benchmarks.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Panels side by side, two in a row, each with lines over a few named places. It has no
 * background, and its colors are legible on light and dark ones.
 */
public final class Plot {

	private static final String GREY = "#7d8590";

	private static final List<String> COLOURS = List.of("#2f81f7", "#d29922", "#3fb950", "#f85149", "#a371f7",
			"#db61a2");

	private static final int WIDTH = 380;

	private static final int HEIGHT = 250;

	private static final int LEFT = 44;

	private static final int TOP = 30;

	private static final int PIXELS = 140;

	private static final int STEP = 90;

	private final String title;

	private final List<String> panels = new ArrayList<>();

	/**
	 * Create a plot without panels.
	 * @param title the title for screen readers
	 */
	public Plot(String title) {
		this.title = title;
	}

	/**
	 * Add a panel.
	 * @param caption the caption of the panel
	 * @param places the labels of the horizontal axis
	 * @param lines the numbers of each line by name
	 */
	public Plot panel(String caption, List<String> places, Map<String, double[]> lines) {
		double most = lines.values()
			.stream()
			.flatMapToDouble(Arrays::stream)
			.filter((number) -> !Double.isNaN(number))
			.max()
			.orElse(1);
		double interval = interval(most);
		double top = Math.ceil(most / interval) * interval;
		List<String> elements = new ArrayList<>(List.of(text(LEFT, 16, "start", GREY, caption),
				path(GREY, "1", "M%d %dV%dH%d".formatted(LEFT, TOP, TOP + PIXELS, WIDTH - 16))));
		for (double value = 0; value <= top; value += interval) {
			elements.add(text(LEFT - 6, y(value, top) + 4, "end", GREY, Table.number(value).replace(".00", "")));
		}
		int step = Math.min(STEP, (WIDTH - LEFT - 40) / Math.max(1, places.size() - 1));
		for (int i = 0; i < places.size(); i++) {
			elements.add(text(LEFT + 12 + i * step, TOP + PIXELS + 16, "middle", GREY, places.get(i)));
		}
		int number = 0;
		for (Map.Entry<String, double[]> line : lines.entrySet()) {
			String colour = COLOURS.get(number % COLOURS.size());
			elements.add(path(colour, "2", points(line.getValue(), step, top)));
			elements.add(
					text(LEFT + number % 3 * 112, TOP + PIXELS + 36 + number / 3 * 16, "start", colour, line.getKey()));
			number++;
		}
		this.panels.add("<g transform=\"translate(%d %d)\">%n%s%n</g>".formatted(this.panels.size() % 2 * WIDTH,
				this.panels.size() / 2 * HEIGHT, String.join("\n", elements)));
		return this;
	}

	/**
	 * Return a round interval that divides the axis into two to five parts.
	 */
	private static double interval(double most) {
		double interval = Math.pow(10, Math.floor(Math.log10(most)));
		if (most / interval < 2) {
			return interval / 2;
		}
		return (most / interval > 5) ? interval * 2 : interval;
	}

	private static String points(double[] numbers, int step, double top) {
		List<String> points = new ArrayList<>();
		for (int i = 0; i < numbers.length; i++) {
			if (!Double.isNaN(numbers[i])) {
				points.add("%d %.1f".formatted(LEFT + 12 + i * step, y(numbers[i], top)));
			}
		}
		return points.stream().collect(Collectors.joining("L", "M", ""));
	}

	private static double y(double value, double top) {
		return TOP + PIXELS * (1 - value / top);
	}

	private static String text(double x, double y, String anchor, String colour, String text) {
		return String.format(Locale.ROOT, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"%s\" fill=\"%s\">%s</text>", x, y,
				anchor, colour, text);
	}

	private static String path(String colour, String width, String path) {
		return "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" d=\"%s\"/>".formatted(colour, width, path);
	}

	/**
	 * Return the picture as SVG.
	 */
	public String svg() {
		return """
				<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" font-family="sans-serif" font-size="12">
				<title>%s</title>
				%s
				</svg>
				"""
			.formatted(2 * WIDTH, (this.panels.size() + 1) / 2 * HEIGHT, this.title, String.join("\n", this.panels));
	}

}
