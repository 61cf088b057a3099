package io.github.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One small mistake in one line of a script.
 *
 * @param file the name of the file, without the extension
 * @param number the number of the line, from 1
 * @param original the line, and the lines beside it by which it is found
 * @param changed the same with the mistake
 */
record LuaMutant(String file, int number, String original, String changed) {

	private static final List<Mistake> MISTAKES = List.of(mistake("<=", "<"), mistake("(?<![<>=~])<(?!=)", "<="),
			mistake(">=", ">"), mistake("(?<![<>=~])>(?!=)", ">="), mistake("==", "~="), mistake("~=", "=="),
			mistake("(?<=[\\w)\\]] )\\+(?= )", "-"), mistake("(?<=[\\w)\\]] )-(?= )", "+"),
			mistake("(?<= )\\*(?= )", "+"), mistake("(?<= )/(?= )", "*"), mistake("\\band\\b", "or"),
			mistake("\\bor\\b", "and"), mistake("\\bnot ", ""), mistake("\\bmax\\(", "min("),
			mistake("\\bmin\\(", "max("), mistake("\\bfloor\\(", "ceil("), mistake("\\bceil\\(", "floor("),
			mistake("\\btrue\\b", "false"), mistake("\\bfalse\\b", "true"),
			new Mistake(Pattern.compile("(?<![\\w.'>])\\d+(?![\\w.'])"),
					(number) -> Long.toString(Long.parseLong(number) + 1)));

	/**
	 * Return all mistakes of a file, one each.
	 */
	static Stream<LuaMutant> of(String file) {
		List<String> lines = Arrays.asList(Script.read(file).split("\n", -1));
		List<LuaMutant> mutants = new ArrayList<>();
		for (int i = 0; i < lines.size(); i++) {
			String code = code(lines.get(i));
			for (Mistake mistake : MISTAKES) {
				Matcher matcher = mistake.where.matcher(code);
				while (matcher.find()) {
					mutants.add(of(file, lines, i, mistake.in(lines.get(i), matcher.toMatchResult())));
				}
			}
		}
		return mutants.stream();
	}

	private static LuaMutant of(String file, List<String> lines, int index, String changed) {
		String before = (index > 0) ? lines.get(index - 1) + '\n' : "";
		String after = (index < lines.size() - 1) ? '\n' + lines.get(index + 1) : "";
		return new LuaMutant(file, index + 1, before + lines.get(index) + after, before + changed + after);
	}

	/**
	 * Return a line without its comment and the contents of texts, as long as before.
	 */
	private static String code(String line) {
		String withoutTexts = Pattern.compile("'[^']*'")
			.matcher(line)
			.replaceAll((text) -> "'" + "_".repeat(text.group().length() - 2) + "'");
		int comment = withoutTexts.indexOf("--");
		return (comment < 0) ? withoutTexts : withoutTexts.substring(0, comment);
	}

	private static Mistake mistake(String where, String what) {
		return new Mistake(Pattern.compile(where), (text) -> what);
	}

	/**
	 * Return whether a script contains the line.
	 */
	boolean concerns(String script) {
		return script.contains(this.original);
	}

	/**
	 * Return a script with the mistake.
	 */
	String applyTo(String script) {
		return script.replace(this.original, this.changed);
	}

	/**
	 * Return the line with the mistake.
	 */
	String line() {
		String[] before = this.original.split("\n", -1);
		String[] after = this.changed.split("\n", -1);
		for (int i = 0; i < before.length; i++) {
			if (!before[i].equals(after[i])) {
				return before[i].strip() + " => " + after[i].strip();
			}
		}
		return "";
	}

	@Override
	public String toString() {
		return this.file + ".lua:" + this.number + ": " + line();
	}

	/**
	 * Kind of mistake.
	 */
	private record Mistake(Pattern where, UnaryOperator<String> what) {

		String in(String line, MatchResult match) {
			return line.substring(0, match.start()) + this.what.apply(match.group()) + line.substring(match.end());
		}

	}

}
