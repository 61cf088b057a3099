package io.github.ratelimit.sample.browser;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import javax.imageio.ImageIO;

/**
 * Picture with the 256 most frequent colors of a screenshot, a third of its size.
 */
final class IndexedPicture {

	private static final int COLORS = 256;

	private final BufferedImage screenshot;

	private final Map<Integer, Integer> nearest = new HashMap<>();

	private int[] palette = {};

	private IndexedPicture(BufferedImage screenshot) {
		this.screenshot = screenshot;
	}

	/**
	 * Return a smaller PNG.
	 */
	static byte[] of(byte[] png) throws IOException {
		return new IndexedPicture(ImageIO.read(new ByteArrayInputStream(png))).encode();
	}

	private byte[] encode() throws IOException {
		int width = this.screenshot.getWidth();
		int height = this.screenshot.getHeight();
		int[] pixels = this.screenshot.getRGB(0, 0, width, height, null, 0, width);
		this.palette = mostFrequent(pixels);
		IndexColorModel colors = new IndexColorModel(8, this.palette.length, this.palette, 0, false, -1, 0);
		BufferedImage indexed = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_INDEXED, colors);
		int[] indexes = IntStream.of(pixels).map((color) -> this.nearest.computeIfAbsent(color, this::near)).toArray();
		indexed.getRaster().setPixels(0, 0, width, height, indexes);
		ByteArrayOutputStream png = new ByteArrayOutputStream();
		ImageIO.write(indexed, "png", png);
		return png.toByteArray();
	}

	private static int[] mostFrequent(int[] pixels) {
		Map<Integer, Integer> counts = new HashMap<>();
		for (int color : pixels) {
			counts.merge(color, 1, Integer::sum);
		}
		List<Map.Entry<Integer, Integer>> ordered = counts.entrySet()
			.stream()
			.sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
			.limit(COLORS)
			.toList();
		return ordered.stream().mapToInt(Map.Entry::getKey).toArray();
	}

	private int near(int color) {
		return IntStream.range(0, this.palette.length)
			.boxed()
			.min(Comparator.comparingInt((index) -> distance(color, this.palette[index])))
			.orElseThrow();
	}

	private static int distance(int one, int other) {
		return IntStream.of(16, 8, 0)
			.map((shift) -> ((one >> shift) & 0xff) - ((other >> shift) & 0xff))
			.map((difference) -> difference * difference)
			.sum();
	}

}
