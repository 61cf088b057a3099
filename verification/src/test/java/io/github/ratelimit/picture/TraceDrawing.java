package io.github.ratelimit.picture;

import java.util.List;
import java.util.Locale;

/**
 * Drawing of traces below each other: a dot for each call, filled if admitted, and a line
 * from its arrival to the time it proceeds. Its colors are readable on light and dark
 * backgrounds.
 */
final class TraceDrawing {

	private static final String GREY = "#7d8590";

	private static final String BLUE = "#3b82f6";

	private static final int LEFT = 190;

	private static final int WIDTH = 860;

	private static final int RIGHT = 130;

	private static final int ROW = 24;

	private static final int TOP = 34;

	private static final double FROM = 45;

	private static final double TO = 200;

	private final StringBuilder svg = new StringBuilder();

	private TraceDrawing() {
	}

	static String of(List<Trace> traces) {
		return new TraceDrawing().draw(traces);
	}

	private String draw(List<Trace> traces) {
		int bottom = TOP + traces.size() * ROW;
		add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" font-family=\"sans-serif\" "
				+ "font-size=\"12\">", WIDTH, bottom + 30);
		add("<title>What each algorithm admits of the same calls at 5 per 60 s</title>");
		text(WIDTH - RIGHT + 30, TOP - 16, "middle", "admitted");
		text(WIDTH - RIGHT + 96, TOP - 16, "middle", "in any 60 s");
		for (int second = 60; second < TO; second += 30) {
			add("<path stroke=\"%s\" stroke-dasharray=\"%s\" d=\"M%.1f %dV%d\"/>", GREY,
					(second % 60 == 0) ? "4 2" : "1 4", x(second), TOP - 10, bottom);
			text(x(second), bottom + 16, "middle", Integer.toString(second));
		}
		for (int row = 0; row < traces.size(); row++) {
			draw(traces.get(row), TOP + row * ROW + ROW / 2);
		}
		add("</svg>");
		return this.svg.toString();
	}

	private void draw(Trace trace, int y) {
		text(LEFT - 14, y + 4, "end", trace.name());
		for (Trace.Call call : trace.calls()) {
			String colour = call.admitted() ? BLUE : GREY;
			if (call.delay() > 0) {
				add("<path stroke=\"%s\" fill=\"none\" d=\"M%.1f %dv-5H%.1fv5\"/>", colour, x(call.at()), y,
						x(call.at() + call.delay()));
			}
			add("<circle cx=\"%.1f\" cy=\"%d\" r=\"%s\" fill=\"%s\" stroke=\"%s\"/>", x(call.at() + call.delay()), y,
					call.admitted() ? "3.5" : "2", call.admitted() ? colour : "none", colour);
		}
		text(WIDTH - RIGHT + 30, y + 4, "middle", Long.toString(trace.admitted()));
		text(WIDTH - RIGHT + 96, y + 4, "middle", Long.toString(trace.mostInAPeriod()));
	}

	private void text(double x, int y, String anchor, String text) {
		add("<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\" fill=\"%s\">%s</text>", x, y, anchor, GREY, text);
	}

	private void add(String format, Object... arguments) {
		this.svg.append(String.format(Locale.ROOT, format, arguments)).append('\n');
	}

	private static double x(double second) {
		return LEFT + (second - FROM) / (TO - FROM) * (WIDTH - LEFT - RIGHT);
	}

}
