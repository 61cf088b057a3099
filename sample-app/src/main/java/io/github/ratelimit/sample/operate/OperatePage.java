package io.github.ratelimit.sample.operate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.MediaTypeFactory;
import org.springframework.stereotype.Component;

/**
 * Page "Operate" as an endpoint: it is available where the endpoint {@code ratelimits} is
 * available, which it calls, and to nobody else.
 */
@Component
@WebEndpoint(id = "operate")
class OperatePage {

	private static final String LINK_TO_FORUM = "http://localhost:8080/";

	/**
	 * Folders of the files of the page. It shares style sheets with the playground.
	 */
	private static final List<String> FOLDERS = List.of("operate/", "static/playground/");

	private final Environment environment;

	OperatePage(Environment environment) {
		this.environment = environment;
	}

	@ReadOperation(produces = "text/html")
	String page() throws IOException {
		String page = new ClassPathResource("operate/index.html").getContentAsString(StandardCharsets.UTF_8);
		String port = this.environment.getRequiredProperty("local.server.port");
		return page.replace(LINK_TO_FORUM, "http://localhost:" + port + '/');
	}

	@ReadOperation(produces = { "text/css", "text/javascript", "image/svg+xml" })
	WebEndpointResponse<Resource> file(@Selector String name) {
		return FOLDERS.stream()
			.map((folder) -> new ClassPathResource(folder + name))
			.filter((file) -> name.matches("[a-z-]+\\.(css|js|svg)") && file.exists())
			.findFirst()
			.map((file) -> new WebEndpointResponse<Resource>(file, MediaTypeFactory.getMediaType(name).orElseThrow()))
			.orElseGet(() -> new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND));
	}

}
