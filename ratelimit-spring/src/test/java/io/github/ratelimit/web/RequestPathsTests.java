package io.github.ratelimit.web;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Normalization of paths, and the patterns that match them.
 */
class RequestPathsTests {

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', textBlock = """
			/                        , /
			""                       , /
			/api/replies             , /api/replies
			/api/replies/            , /api/replies
			//api///replies//        , /api/replies
			/./api/./replies/.       , /api/replies
			/other/../api/replies    , /api/replies
			/../../api/replies       , /api/replies
			/%61pi/%72eplies         , /api/replies
			/api%2Freplies           , /api/replies
			/other%2f%2e%2e%2fapi    , /api
			/api;a=b/replies;c       , /api/replies
			/other/..;a/api          , /api
			/;/api                   , /api
			/api\\replies            , /api/replies
			/api%5Creplies           , /api/replies
			/api%3Breplies           , /api;replies
			/%252e/api               , /%2e/api
			/%20/api                 , /api
			/%09%7Fapi/%20%01replies , /api/replies
			/other/%20../api         , /api
			/api/two%20words         , /api/two words
			/100%25                  , /100%
			/%zz/                    , /%zz
			/.well-known/x           , /.well-known/x
			/.../..api/api../.api    , /.../..api/api../.api
			/%E8%80%81%E9%92%B1      , /老钱
			""")
	void spellingsHaveOneForm(String sent, String canonical) {
		assertThat(RequestPaths.canonical(sent)).isEqualTo(canonical);
		assertThat(RequestPaths.canonical(canonical.replace("%", "%25").replace(";", "%3B"))).isEqualTo(canonical);
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			/downloads/**   , /downloads/x              ,              , true
			/downloads/**   , //downloads/x             ,              , true
			/downloads/**   , /downloads%2Fx            ,              , true
			/downloads/**   , /other/..%2Fdownloads/x   ,              , true
			/downloads/**   , /downloads/../other/x     ,              , true
			/other/**       , /downloads/../other/x     ,              , true
			/downloads/**   , /downloadsx               ,              , false
			/downloads/**   , /rewritten                , /downloads/x , true
			/downloads/**   , /rewritten                , /other/x     , false
			/files/a.txt    , /%20/files/a.txt          ,              , true
			/files/a.txt    , /files/%7Fa.txt           ,              , true
			/files/{name}   , /files/a%2Fb              ,              , true
			/files/*/b      , /files/a%2Fb              ,              , true
			/a/100%25       , /a/100%2525               ,              , true
			/replies        , /replies/                 ,              , true
			/replies        , /replies                  , /replies/    , true
			/**             , /                         ,              , true
			""")
	void ruleHoldsIfAnyFormMatches(String pattern, String sent, String resolved, boolean holds) {
		RequestPaths paths = RequestPaths.of(PathContainer.parsePath(sent), resolved);
		assertThat(paths.match(new PathPatternParser().parse(pattern))).isEqualTo(holds);
	}

}
