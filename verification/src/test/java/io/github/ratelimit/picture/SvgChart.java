package io.github.ratelimit.picture;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Small chart of panels below each other with a common horizontal axis. It has no
 * background, and its colors are readable on light and dark ones.
 */
public final class SvgChart {

	private static final String GREY = "#7d8590";

	private static final int WIDTH = 760;

	private static final int LEFT = 48;

	private static final int RIGHT = 12;

	private static final int TOP = 24;

	private static final int GAP = 44;

	private final String title;

	private final String label;

	private final double to;

	private final double step;

	private final List<Panel> panels = new ArrayList<>();

	private int height;

	/**
	 * Create a chart without panels.
	 * @param title the alternative text
	 * @param label the label of the horizontal axis, which starts at 0
	 * @param to the end of the axis
	 * @param step the distance of its numbers
	 */
	public SvgChart(String title, String label, double to, double step) {
		this.title = title;
		this.label = label;
		this.to = to;
		this.step = step;
	}

	/**
	 * Add a panel below the others.
	 * @param caption the label of its vertical axis, which starts at 0
	 * @param most the end of this axis
	 * @param interval the distance of its numbers
	 * @param pixels the height
	 */
	public Panel panel(String caption, double most, double interval, int pixels) {
		Panel panel = new Panel(this.height + TOP, most, pixels);
		this.height += pixels + GAP;
		this.panels.add(panel);
		panel.axes(caption, interval);
		return panel;
	}

	public String svg() {
		int bottom = this.height + 10;
		return """
				<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" font-family="sans-serif" font-size="12">
				<title>%s</title>
				%s
				%s
				</svg>
				"""
			.formatted(WIDTH, bottom + 4, this.title,
					this.panels.stream().map(Panel::svg).collect(Collectors.joining("\n")),
					text(x(this.to / 2), bottom, "middle", GREY, this.label));
	}

	private double x(double value) {
		return LEFT + value / this.to * (WIDTH - LEFT - RIGHT);
	}

	private static String text(double x, double y, String anchor, String colour, String text) {
		return "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\" fill=\"%s\">%s</text>".formatted(number(x), number(y),
				anchor, colour, text);
	}

	/**
	 * Text from bottom to top.
	 */
	private static String upright(double x, double y, String text) {
		return "<g transform=\"translate(%s %s) rotate(-90)\">%s</g>".formatted(number(x), number(y),
				text(0, 0, "middle", GREY, text));
	}

	private static String path(String colour, String attributes, String path) {
		return "<path fill=\"none\" stroke=\"%s\"%s d=\"%s\"/>".formatted(colour, attributes, path);
	}

	private static String number(double number) {
		return BigDecimal.valueOf(number).setScale(1, RoundingMode.HALF_UP).stripTrailingZeros().toPlainString();
	}

	/**
	 * A point of a series, in the units of the axes.
	 */
	public record Point(double x, double y) {

	}

	/**
	 * Panel with its own vertical axis.
	 */
	public final class Panel {

		private final List<String> elements = new ArrayList<>();

		private final int top;

		private final double most;

		private final int pixels;

		private Panel(int top, double most, int pixels) {
			this.top = top;
			this.most = most;
			this.pixels = pixels;
		}

		private void axes(String caption, double interval) {
			this.elements.add(upright(12, this.top + this.pixels / 2.0, caption));
			this.elements
				.add(path(GREY, "", "M%d %dV%dH%d".formatted(LEFT, this.top, this.top + this.pixels, WIDTH - RIGHT)));
			for (double value = 0; value <= this.most; value += interval) {
				this.elements.add(text(LEFT - 6, y(value) + 4, "end", GREY, number(value)));
			}
			for (double value = 0; value <= SvgChart.this.to; value += SvgChart.this.step) {
				this.elements.add(text(x(value), this.top + this.pixels + 16, "middle", GREY, number(value)));
			}
		}

		/**
		 * Join points by a line.
		 */
		public Panel line(String colour, List<Point> points) {
			return draw(path(colour, " stroke-width=\"2\"",
					points.stream()
						.map((point) -> number(x(point.x)) + " " + number(y(point.y)))
						.collect(Collectors.joining("L", "M", ""))));
		}

		/**
		 * Hold each value until the next point.
		 */
		public Panel steps(String colour, List<Point> points) {
			return draw(path(colour, " stroke-width=\"2\"",
					points.stream()
						.map((point) -> "H" + number(x(point.x)) + "V" + number(y(point.y)))
						.collect(Collectors.joining("", "M" + number(x(0)) + " " + number(y(points.get(0).y)),
								"H" + number(x(SvgChart.this.to))))));
		}

		/**
		 * Draw a dot at each point.
		 */
		public Panel dots(String colour, List<Point> points) {
			points.forEach((point) -> draw("<circle cx=\"%s\" cy=\"%s\" r=\"3\" fill=\"%s\"/>"
				.formatted(number(x(point.x)), number(y(point.y)), colour)));
			return this;
		}

		/**
		 * Draw a horizontal line at a value, with its name below.
		 */
		public Panel level(double value, String name) {
			draw(path(GREY, " stroke-dasharray=\"2 4\"", "M%d %sH%d".formatted(LEFT, number(y(value)), WIDTH - RIGHT)));
			return draw(text(WIDTH - RIGHT, y(value) + 14, "end", GREY, name));
		}

		/**
		 * Draw a vertical line at the start of a phase, with its name above.
		 */
		public Panel begin(double value, String name) {
			draw(path(GREY, " stroke-dasharray=\"1 3\"",
					"M%s %dV%d".formatted(number(x(value)), this.top - 6, this.top + this.pixels)));
			return draw(text(x(value) + 4, this.top - 10, "start", GREY, name));
		}

		private Panel draw(String element) {
			this.elements.add(element);
			return this;
		}

		private double y(double value) {
			return this.top + this.pixels * (1 - value / this.most);
		}

		private String svg() {
			return String.join("\n", this.elements);
		}

	}

}
