package io.github.ratelimit.sample.playground;

import java.io.IOException;

import io.github.ratelimit.annotation.RateLimited;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Requests of the page at {@code /}. A visit is a stream of server-sent events: it begins
 * with the id of the visit and ends when the page disconnects. Opening visits and sending
 * calls are rate limited, too.
 */
@RestController
@RequestMapping("/playground")
class PlaygroundController {

	private final Playground playground;

	private final LoadSlider load;

	PlaygroundController(Playground playground, LoadSlider load) {
		this.playground = playground;
		this.load = load;
	}

	@GetMapping(path = "/visits", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	@RateLimited(key = "ip", max = 60, period = 60)
	SseEmitter open() throws IOException {
		return this.playground.open().events();
	}

	@PutMapping("/visits/{id}/rules/{lane}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void change(@PathVariable String id, @PathVariable String lane, @ModelAttribute RuleForm rule) {
		this.playground.visit(id).lane(lane).change(rule);
	}

	@PutMapping("/visits/{id}/traffic")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void send(@PathVariable String id, @RequestParam TrafficShape shape, @RequestParam int rate) {
		this.playground.visit(id).send(shape, rate);
	}

	@DeleteMapping("/visits/{id}/traffic")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void stop(@PathVariable String id) {
		this.playground.visit(id).stop();
	}

	@PostMapping("/visits/{id}/calls")
	@ResponseStatus(HttpStatus.ACCEPTED)
	@RateLimited(key = "#id", max = 200, period = 10, cost = "#count", condition = "#count > 0")
	void call(@PathVariable String id, @RequestParam int count) {
		Visit visit = this.playground.visit(id);
		for (int i = 0; i < count; i++) {
			visit.call();
		}
	}

	@DeleteMapping("/visits/{id}/calls")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void reset(@PathVariable String id) {
		this.playground.visit(id).reset();
	}

	@PutMapping("/load")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void moveLoad(@RequestParam double value) {
		this.load.moveTo(value);
	}

}
