package com.example.kotlin

import io.github.ratelimit.RateLimiterRegistry
import io.github.ratelimit.test.AutoConfigureTestRateLimiter
import io.github.ratelimit.test.RateLimitAssertions.assertThat
import io.github.ratelimit.test.RateLimitClock
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest
import org.springframework.test.web.servlet.MockMvc
import org.springframework.test.web.servlet.post
import java.time.Duration

@WebMvcTest(CodeController::class)
@AutoConfigureTestRateLimiter
class CodeControllerTests(
    @Autowired val mvc: MockMvc,
    @Autowired val clock: RateLimitClock,
    @Autowired val limiters: RateLimiterRegistry
) {

    @Test
    fun `one code a minute and three a day`() {
        repeat(3) {
            send().andExpect { status { isOk() } }
            send().andExpect { status { isTooManyRequests() } }
            clock.advance(Duration.ofMinutes(1))
        }
        send().andExpect { status { isTooManyRequests() } }
        assertThat(limiters.limiter("sms")).forKey("555").isDenied().violates("sms-day")
    }

    private fun send() = mvc.post("/codes") { param("phone", "555") }
}
