package com.example.kotlin

import io.github.ratelimit.annotation.RateLimited
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController

@RestController
class CodeController {

    @PostMapping("/codes")
    @RateLimited("sms", key = "#phone")
    fun send(@RequestParam phone: String) = "sent"
}
