package io.github.ratelimit.document;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableRow;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.text.TextContentRenderer;

/**
 * Markdown document, as GitHub reads it.
 */
public final class Markdown {

	/** Tests run in the folder of a module. */
	private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	private static final Parser PARSER = Parser.builder().extensions(List.of(TablesExtension.create())).build();

	private static final TextContentRenderer TEXT = TextContentRenderer.builder().build();

	private static final Pattern SOURCE = Pattern.compile("\\b(?:src|srcset|href)=\"([^\"]*)\"");

	private final Path file;

	private final Node document;

	private Markdown(Path file, String text) {
		this.file = file;
		this.document = PARSER.parse(text);
	}

	/**
	 * Return all documents of this project.
	 * @return the documents beside the parent POM, in {@code docs} and in
	 * {@code docs/contributing}
	 */
	public static Stream<Markdown> all() {
		return Stream.of("", "docs", "docs/contributing")
			.map(ROOT::resolve)
			.flatMap(Markdown::files)
			.map(Markdown::read);
	}

	/**
	 * Read a document.
	 * @param name the name of the file, relative to the folder of the parent POM
	 * @return the document
	 */
	public static Markdown read(String name) {
		return read(ROOT.resolve(name));
	}

	static Markdown read(Path file) {
		try {
			return new Markdown(file, Files.readString(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static Markdown parse(String text) {
		return new Markdown(ROOT.resolve("README.md"), text);
	}

	/**
	 * Return the fenced code blocks in order.
	 * @return one per block
	 */
	public List<CodeBlock> blocks() {
		return each(FencedCodeBlock.class,
				(block) -> Stream.of(new CodeBlock(toString(), block.getInfo(), block.getLiteral())));
	}

	List<Integer> headingLevels() {
		return each(Heading.class, (heading) -> Stream.of(heading.getLevel()));
	}

	List<String> headings() {
		return each(Heading.class, (heading) -> Stream.of(TEXT.render(heading)));
	}

	/**
	 * Return the number of rows of each table, including its header.
	 */
	List<Long> tables() {
		return each(TableBlock.class, (table) -> Stream.of(rows(table)));
	}

	/**
	 * Return the targets of links and images.
	 */
	List<String> targets() {
		return each(Node.class, (node) -> {
			if (node instanceof Link link) {
				return Stream.of(link.getDestination());
			}
			if (node instanceof Image image) {
				return Stream.of(image.getDestination());
			}
			if (node instanceof HtmlBlock html) {
				return sources(html.getLiteral());
			}
			return (node instanceof HtmlInline html) ? sources(html.getLiteral()) : Stream.empty();
		});
	}

	Path file() {
		return this.file;
	}

	@Override
	public String toString() {
		return ROOT.relativize(this.file).toString().replace('\\', '/');
	}

	private static long rows(Node node) {
		long rows = (node instanceof TableRow) ? 1 : 0;
		for (Node child = node.getFirstChild(); child != null; child = child.getNext()) {
			rows += rows(child);
		}
		return rows;
	}

	private static Stream<String> sources(String html) {
		return SOURCE.matcher(html).results().map((match) -> match.group(1));
	}

	private <N extends Node, T> List<T> each(Class<N> type, Function<N, Stream<T>> found) {
		List<T> all = new ArrayList<>();
		this.document.accept(new AbstractVisitor() {

			@Override
			protected void visitChildren(Node parent) {
				for (Node child = parent.getFirstChild(); child != null; child = child.getNext()) {
					if (type.isInstance(child)) {
						found.apply(type.cast(child)).forEach(all::add);
					}
					visitChildren(child);
				}
			}

		});
		return all;
	}

	private static Stream<Path> files(Path folder) {
		try (Stream<Path> files = Files.list(folder)) {
			return files.filter((file) -> file.toString().endsWith(".md")).sorted().toList().stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
