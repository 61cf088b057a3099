package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Values of expressions. All calls have the same arguments, see {@link #CALL}.
 */
class ExpressionCompilerTests {

	private static final Method METHOD = ReflectionUtils.findMethod(Sample.class, "reply", (Class<?>[]) null);

	private static final Call CALL = new Call(new Sample(), new Object[] { "laoqian", null, 3, new int[] { 1, 2 },
			TimeUnit.SECONDS, new Author("ann", null), Map.of("a", "b"), List.of("x", "y") }, new FakeRequest());

	private final ExpressionCompiler compiler = new ExpressionCompiler(new MethodScope(METHOD), beans());

	private static ExpressionBeans beans() {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerSingleton("names", new Nicknames());
		return new ExpressionBeans(beans);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			laoqian              | #userId
			laoqian              | #a0
			laoqian:3            | #p0 + ':' + #a2
			laoqian:reply        | #userId + ':reply'
			reply                | 'reply'
			it's laoqian         | 'it''s ' + #userId
			3:x                  | 1 + 2 + ':x'
			:x12                 | ':x' + 1 + 2
			laoqian:4            | #userId + ':' + (#number + 1)
			2:x                  | #number - 1 + ':x'
			3                    | #number
			"{1, 2}"             | #ids
			"ids {1, 2}"         | 'ids ' + #ids
			1:2                  | #ids[0] + ':' + #ids[1]
			SECONDS:x            | #unit + ':x'
			seconds:x            | #unit.name().toLowerCase() + ':x'
			ann:x                | #author.name + ':x'
			ann                  | #author?.name
			b:b                  | #map['a'] + ':' + #map[a]
			b                    | #map['' + 'a']
			"[x!, y!]"           | #list.![#this + '!']
			[x]                  | #list.?[#this + '' == 'x']
			"[1, 1]"             | #list.![length()]
			[true]               | {#author}.![name == 'ann']
			"[x, y]"             | #list.?[length() == 1]
			"[x, y]"             | #list.?[trim().contains(toLowerCase())]
			[annann]             | {#author}.![name.concat(name)]
			laoqian              | {name: #userId}.get('name')
			"[x, laoqian]"       | {'x', #userId}
			guest                | #nobody ?: 'guest'
			192.0.2.1            | #nobody ?: ip
			192.0.2.1:x          | #nobody ?: ip + ':x'
			guest:x              | (#nobody ?: 'guest') + ':x'
			guest                | #nobody != null ? #nobody + ':x' : 'guest'
			laoqian:x            | #userId != null ? #userId + ':x' : 'guest'
			laoqian:3            | #userId.concat(':' + #number)
			laoqian!             | #userId.concat(#nobody != null ? 'x' + #nobody : '!')
			ianx1                | #userId.substring(#number + 1).concat('x' + 1)
			nick laoqian!        | @names.nick(#userId + '!')
			nick laoqian:x       | @names.nick(#userId) + ':x'
			nick nick a12        | @names.nick(@names.nick('a' + 1) + 2)
			192.0.2.1            | ip
			192.0.2.1:x          | #root.ip + ':x'
			laoqian/replies      | principal + path
			k1                   | header('X-Api-Key')
			k1                   | header('X-' + 'Api' + '-Key')
			reply:reply          | methodName + ':' + method.name
			Sample8              | targetClass.simpleName + args.length
			hello laoqian        | target.greeting + ' ' + args[0]
			x                    | T(java.util.Locale).ROOT.language + 'x'
			ab                   | new StringBuilder('a' + 'b')
			""")
	void keyIs(String key, String expression) {
		Object value = this.compiler.compileKey(expression).evaluate(CALL);
		assertThat(KeyText.of(value, expression)).isEqualTo(key);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			nobody               | #nobody + ':reply'
			nobody               | 'reply:' + #nobody
			author.email         | 'a' + 'b' + #author.email
			map['z']             | ':' + #map['z']
			nobody               | #nobody + #nobody
			nobody               | #userId.concat(':' + #nobody)
			nobody               | @names.nick(#nobody + 'x')
			nobody               | header('X-' + #nobody)
			nobody               | #map['a' + #nobody]
			nobody               | {'x', 'y' + #nobody}
			nobody               | (#nobody + ':x') ?: 'guest'
			nobody               | #userId != null ? #nobody + 'x' : 'guest'
			""")
	void concatenationWithNullHasNoValue(String operand, String expression) {
		CallExpression key = this.compiler.compileKey(expression);
		assertThatExceptionOfType(KeyText.NoTextException.class).isThrownBy(() -> key.evaluate(CALL))
			.satisfies((ex) -> assertThat(ex.operand()).isEqualTo("#" + operand));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			nick first!  | @names.nick(@names.next() + '!')
			nick first!  | @names.nick(#nobody ?: (@names.next() + '!'))
			FIRST!       | #userId.substring(7).concat(@names.next() + '!').toUpperCase()
			X-first      | 'X-'.concat('' + @names.next())
			2:reply      | (@names.count() + 1) + ':reply'
			nick 2       | @names.nick(@names.count() + 1)
			""")
	void operandOfAConcatenationIsEvaluatedOnce(String key, String expression) {
		assertThat(this.compiler.compileKey(expression).evaluate(CALL)).isEqualTo(key);
	}

	@Test
	void argumentIsTheTextThatWasChecked() {
		CallExpression key = this.compiler.compileKey("@names.nick(@names.next() + ':reply')");
		assertThat(key.evaluate(CALL)).isEqualTo("nick first:reply");
		assertThatExceptionOfType(KeyText.NoTextException.class).isThrownBy(() -> key.evaluate(CALL));
	}

	@ParameterizedTest
	@CsvSource({ "#nobody", "#author.email", "#map['z']", "#author?.email", "null", "header('X-Absent')" })
	void nullIsNull(String expression) {
		assertThat(this.compiler.compileKey(expression).evaluate(CALL)).isNull();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			variable 'usrId'     | #usrId + ':reply'
			variable 'a8'        | #a8
			variable 'other'     | 'x' + (#userId ?: #other)
			variable 'other'     | @names.nick(#other)
			variable 'other'     | #list.![#other]
			variable 'other'     | #list[#other]
			property 'userId'    | userId
			property 'userId'    | 'reply:' + userId
			property 'userId'    | (userId == null) ? 'guest' : 'user'
			property 'user'      | #this.user
			property 'userId'    | {name: userId}.get('name')
			property 'name'      | header(name)
			property 'X-Api-Key' | header(X-Api-Key)
			property 'principal.name' | principal.name
			property 'principal.name' | #root.principal.name
			property 'principal.name' | 'user:' + principal.getName()
			property 'user'      | #root.user
			property 'user'      | #list.![#root.user]
			property 'name'      | #userId.concat(name)
			property 'name'      | #map[#userId.concat(name)]
			property 'name'      | #list.?[length() == 1].contains(name)
			method random()      | random()
			function #random     | #random()
			""")
	void unknownNameIsRefused(String name, String expression) {
		assertThatExceptionOfType(RefusedExpressionException.class)
			.isThrownBy(() -> this.compiler.compileKey(expression))
			.withMessage("uses the unknown " + name
					+ ". Known: #author, #ids, #list, #map, #nobody, #number, #unit, #userId, args, ip, method, "
					+ "methodName, path, principal, target, targetClass, claim('name'), cookie('name'), header('name'), "
					+ "param('name'), pathVariable('name')");
	}

	@Test
	void plusOfACostMayBeANumber() {
		assertThat(this.compiler.compile("#number + 1").evaluate(CALL)).isEqualTo(4);
	}

	@Test
	void nothingIsAssignedToAParameter() {
		assertThatExceptionOfType(RefusedExpressionException.class)
			.isThrownBy(() -> this.compiler.compileKey("#userId = 'anna'"))
			.withMessage("assigns a value instead of comparing");
	}

	@Test
	void nameOfAParameterComesBeforeAPosition() {
		Method method = ReflectionUtils.findMethod(Sample.class, "crossed", (Class<?>[]) null);
		CallExpression key = new ExpressionCompiler(new MethodScope(method), beans()).compileKey("#a0 + #a1 + #p0");
		assertThat(key.evaluate(new Call(new Sample(), new Object[] { "x", "y" }, null))).isEqualTo("yxx");
	}

	/**
	 * To SpEL it is the root object, so a condition on it would never hold.
	 */
	@ParameterizedTest
	@CsvSource({ "#root", "#root + ':x'", "#root == 'docs'", "#root.ip" })
	void parameterWithTheNameOfTheRootIsRefused(String expression) {
		Method method = ReflectionUtils.findMethod(Sample.class, "browse", (Class<?>[]) null);
		ExpressionCompiler browsing = new ExpressionCompiler(new MethodScope(method), beans());
		assertThatExceptionOfType(RefusedExpressionException.class).isThrownBy(() -> browsing.compileKey(expression))
			.withMessage("uses #root, which is the root object and not the parameter of this name")
			.satisfies((ex) -> assertThat(ex.remedy())
				.isEqualTo("Write #a1 for the parameter; members of the root object need no #root."));
	}

	static class Sample {

		void browse(String userId, String root) {
		}

		void crossed(String a1, String a0) {
		}

		public String getGreeting() {
			return "hello";
		}

		void reply(String userId, String nobody, int number, int[] ids, TimeUnit unit, Author author,
				Map<String, String> map, List<String> list) {
		}

	}

	record Author(String name, String email) {

	}

	static class Nicknames {

		private int calls;

		public String nick(String name) {
			return "nick " + name;
		}

		public int count() {
			return ++this.calls;
		}

		public String next() {
			return (count() == 1) ? "first" : null;
		}

	}

}
