package io.github.ratelimit.compatibility.recipes;

import java.net.http.HttpResponse;
import java.util.List;

import io.github.ratelimit.compatibility.OnNewestLine;
import io.github.ratelimit.compatibility.Server;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@OnNewestLine
class RecipeSmsTests {

	@Test
	void oneCodeAMinuteForANumberAndThreeAnHourFromAnAddress() {
		try (Server server = RecipeServer.start(CodeController.class, "sms.yml")) {
			assertThat(server.statuses(2, "/codes?phone=1")).isEqualTo(List.of(200, 429));
			HttpResponse<String> denied = server.post("/codes?phone=1");
			assertThat(denied.body()).contains("\"sms-minute\"").doesNotContain("\"sms-hour\"");
			assertThat(server.statuses(2, "/codes?phone=2")).isEqualTo(List.of(200, 429));
			assertThat(server.post("/codes?phone=3").statusCode()).isEqualTo(200);
			HttpResponse<String> fourth = server.post("/codes?phone=4");
			assertThat(fourth.statusCode()).isEqualTo(429);
			assertThat(fourth.body()).contains("\"sms-sender\"");
		}
	}

}
