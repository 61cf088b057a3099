package com.example.webflux;

import reactor.core.publisher.Flux;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class SearchController {

	@GetMapping("/api/search")
	public Flux<String> search(@RequestParam String text) {
		return Flux.just("first", "second");
	}

}
