package com.example.mvc;

import io.github.ratelimit.annotation.RateLimited;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class ReplyController {

	@PostMapping("/replies")
	@RateLimited(name = "reply", key = "#userId")
	public String reply(@RequestParam String userId) {
		return "replied";
	}

}
