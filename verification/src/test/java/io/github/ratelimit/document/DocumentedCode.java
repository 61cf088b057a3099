package io.github.ratelimit.document;

import java.util.Set;
import java.util.stream.Stream;

/**
 * Blocks of code in the documents.
 */
public final class DocumentedCode {

	/**
	 * Compared by {@code RecipesTests} and {@code MigrationTests} with files that other
	 * tests run.
	 */
	private static final Set<String> RECIPES = Set.of("docs/recipes.md", "docs/production.md", "docs/gateway.md",
			MigrationTests.PAGE);

	/** Compared by {@code TranslationTests} with the English originals. */
	private static final Set<String> TRANSLATIONS = Set.of("README.zh-CN.md");

	private DocumentedCode() {
	}

	/**
	 * Return the blocks that no other test compares with tested code.
	 * @param language the language of the blocks
	 * @return the blocks in document order
	 */
	public static Stream<CodeBlock> blocks(String language) {
		return blocks().filter((block) -> block.language().equals(language))
			.filter((block) -> !RECIPES.contains(block.document()));
	}

	static Stream<CodeBlock> blocks() {
		return Markdown.all()
			.flatMap((document) -> document.blocks().stream())
			.filter((block) -> !TRANSLATIONS.contains(block.document()));
	}

}
