package io.github.ratelimit.document;

import java.util.Set;
import java.util.stream.Stream;

/**
 * Blocks of code in the documents.
 */
public final class DocumentedCode {

	/** {@code RecipesTests} compares these with files that other tests run. */
	private static final Set<String> RECIPES = Set.of("docs/recipes.md", "docs/production.md");

	/** {@code TranslationTests} compares these with the English ones. */
	private static final Set<String> TRANSLATIONS = Set.of("README.zh-CN.md");

	private DocumentedCode() {
	}

	/**
	 * Blocks that no other test compares with what is tested.
	 * @param language the language they are written in
	 * @return those of Java or YAML, for example
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
