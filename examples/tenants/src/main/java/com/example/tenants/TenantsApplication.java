package com.example.tenants;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class TenantsApplication {

	public static void main(String[] args) {
		SpringApplication.run(TenantsApplication.class, args);
	}

}
