package io.github.ratelimit.sample.operate;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.core.env.Environment;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Redirection from the port of the forum to the page "Operate" on the management port,
 * which only the machine of the forum can reach.
 */
@RestController
class OperateController {

	private final Environment environment;

	OperateController(Environment environment) {
		this.environment = environment;
	}

	@GetMapping("/operate")
	ResponseEntity<Void> redirect(HttpServletRequest request) throws UnknownHostException {
		URI page = URI.create("http://localhost:" + this.environment.getRequiredProperty("local.management.port")
				+ "/actuator/operate");
		if (!InetAddress.getByName(request.getRemoteAddr()).isLoopbackAddress()) {
			throw new ResponseStatusException(HttpStatus.FORBIDDEN, "Open " + page + " on the machine of the forum.");
		}
		return ResponseEntity.status(HttpStatus.FOUND).location(page).build();
	}

}
