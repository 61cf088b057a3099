package com.example.tenants;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class ReportController {

	@GetMapping("/api/reports")
	public String reports() {
		return "reports";
	}

}
