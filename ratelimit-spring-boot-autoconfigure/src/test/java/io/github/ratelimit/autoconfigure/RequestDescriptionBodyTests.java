package io.github.ratelimit.autoconfigure;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Texts of a described request.
 */
class RequestDescriptionBodyTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					{"request": {"path": "/ä"}}                                      | {"path":"\\/ä"}
					{"request": {"path": "/x", "headers": {"A": "b", "C": ["d", 5]}}}| {"path":"\\/x","headers":"A: b\\nC: d\\nC: 5"}
					{"request": {"headers": {"A": null, "B": "c\\r\\nD: e"}}}         | {"headers":"B: c D: e"}
					{"request": {"session": "1"}, "max": 5}                          | {"session":"1","max":"5"}
					{"request": {"headers": {"A": {"b": "c:d"}, "E:f": [["g"]]}}}    | {"headers":"A\\nEf"}
					{"request": {"headers": ["A: b"], "path": {}, "method": null}}   | {"headers (no text)":"a list","path (no text)":"an object","method":null}
					{"request": "/x"}                                                | {"request": "/x"}
					{"request": ["/x"]}                                              | {"request (no text)":"a list"}
					{"request": null}                                                | {"request": null}
					{"path": "/x"}                                                   | {"path": "/x"}
					{"path": "/x", "max": 5.50}                                      | {"path": "/x", "max": 5.50}
					{"path": ["/x"]}                                                 | {"path (no text)":"a list"}
					[1]                                                              | {"(no object)": ""}
					5                                                                | {"(no object)": ""}
					{"request": {                                                    | {"(no object)": ""}
					` `                                                              | ` `
					""")
	void objectsBecomeTextsAndTextsAreLeftAlone(String body, String texts) {
		assertThat(new String(RequestDescriptionBody.texts(body.getBytes(StandardCharsets.UTF_8), true),
				StandardCharsets.UTF_8))
			.isEqualTo(texts);
	}

}
