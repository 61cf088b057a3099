package io.github.ratelimit.compatibility.recipes;

import java.net.http.HttpResponse;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import io.github.ratelimit.compatibility.OnNewestLine;
import io.github.ratelimit.compatibility.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@OnNewestLine
class RecipeLoginTests {

	@Test
	void countsFailuresOnly() {
		try (Server server = RecipeServer.start(LoginController.class, "")) {
			String right = "/login?user=ann&password=ann123";
			String wrong = "/login?user=ann&password=guess";
			for (int i = 0; i < 8; i++) {
				assertThat(server.post(right).statusCode()).isEqualTo(200);
				awaitRemaining(server, "login", "ann", 5);
			}
			assertThat(server.statuses(4, wrong)).isEqualTo(Collections.nCopies(4, 401));
			for (int i = 0; i < 3; i++) {
				assertThat(server.post(right).statusCode()).isEqualTo(200);
				awaitRemaining(server, "login", "ann", 1);
			}
			assertThat(server.statuses(2, wrong)).isEqualTo(List.of(401, 429));
			assertThat(server.post(right).statusCode()).isEqualTo(429);
			assertThat(server.post("/login?user=bob&password=bob123").statusCode()).isEqualTo(200);
		}
	}

	@Test
	@EnabledIf("isServlet")
	void countsTheNetworkOfAnIpv6Client() {
		try (Server server = RecipeServer.start(AddressLoginController.class, "",
				"server.forward-headers-strategy=framework")) {
			String right = "/sign-in?user=ann&password=ann123";
			String wrong = "/sign-in?user=ann&password=guess";
			String network = "ann 2001:db8:0:1:0:0:0:0/64";
			for (int i = 1; i <= 8; i++) {
				assertThat(server.post(right, "X-Forwarded-For", "2001:db8:0:1::" + i).statusCode()).isEqualTo(200);
				awaitRemaining(server, "sign-in", network, 5);
			}
			assertThat(statuses(server, wrong, 4)).isEqualTo(Collections.nCopies(4, 401));
			for (int i = 1; i <= 3; i++) {
				assertThat(server.post(right, "X-Forwarded-For", "2001:db8:0:1::" + i).statusCode()).isEqualTo(200);
				awaitRemaining(server, "sign-in", network, 1);
			}
			assertThat(statuses(server, wrong, 2)).isEqualTo(List.of(401, 429));
			assertThat(server.post(right, "X-Forwarded-For", "2001:db8:0:2::1").statusCode()).isEqualTo(200);
		}
	}

	@Test
	@EnabledIf("isServlet")
	void bansThePairOfNameAndAddress() {
		try (Server server = RecipeServer.start(AddressLoginController.class, "login-ban.yml",
				"server.forward-headers-strategy=framework")) {
			String wrong = "/sign-in?user=ann&password=guess";
			assertThat(statuses(server, wrong, 24)).containsOnly(401, 429);
			assertThat(violated(server.post(wrong, "X-Forwarded-For", "2001:db8:0:1::1"))).contains("sign-in-ban");
			HttpResponse<String> banned = server.post(wrong, "X-Forwarded-For", "2001:db8:0:1::2");
			assertThat(violated(banned)).isEqualTo("sign-in-ban");
			assertThat(banned.headers().firstValueAsLong("Retry-After").orElseThrow()).isBetween(3590L, 3600L);
			String bob = "/sign-in?user=bob&password=bob123";
			assertThat(server.post(bob, "X-Forwarded-For", "2001:db8:0:1::1").statusCode()).isEqualTo(200);
			String ann = "/sign-in?user=ann&password=ann123";
			assertThat(server.post(ann, "X-Forwarded-For", "2001:db8:0:2::1").statusCode()).isEqualTo(200);
		}
	}

	/**
	 * A client may have the whole response shortly before its call ends and is refunded.
	 */
	private static void awaitRemaining(Server server, String rule, String key, long remaining) {
		await().until(() -> server.remaining(rule, key) == remaining);
	}

	private static String violated(HttpResponse<String> denied) {
		Matcher violated = Pattern.compile("\"violated-policies\":\\[\"(.*?)\"]").matcher(denied.body());
		return violated.find() ? violated.group(1) : denied.body();
	}

	static boolean isServlet() {
		return RecipeServer.isServlet();
	}

	/**
	 * Return the status of each of some calls from different addresses of one network.
	 */
	private static List<Integer> statuses(Server server, String path, int calls) {
		return IntStream.rangeClosed(1, calls)
			.mapToObj((i) -> server.post(path, "X-Forwarded-For", "2001:db8:0:1::" + i).statusCode())
			.toList();
	}

}
