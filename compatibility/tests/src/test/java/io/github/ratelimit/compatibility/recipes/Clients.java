package io.github.ratelimit.compatibility.recipes;

import org.springframework.stereotype.Component;

/**
 * Classes of clients: who is denied first.
 */
@Component("clients")
class Clients {

	public String classOf(String path, String userAgent) {
		if (path.equals("/shop/checkout")) {
			return "high";
		}
		return (userAgent != null && userAgent.contains("bot")) ? "crawler" : null;
	}

}
