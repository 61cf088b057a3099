package io.github.ratelimit.compatibility.kotlin

import io.github.ratelimit.Algorithm
import io.github.ratelimit.annotation.RateLimited
import io.github.ratelimit.test.AutoConfigureTestRateLimiter
import io.github.ratelimit.test.RateLimitClock
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.RepeatedTest
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.SpringBootConfiguration
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment
import org.springframework.context.annotation.Import

/**
 * A suspending function that waits for its turn moves the clock of the test.
 */
@SpringBootTest(classes = [TestedFunctionTests.Application::class], webEnvironment = WebEnvironment.NONE)
@AutoConfigureTestRateLimiter
class TestedFunctionTests {

    @Autowired
    private lateinit var clock: RateLimitClock

    @Autowired
    private lateinit var exports: Exports

    @RepeatedTest(2)
    fun `waits in the time of the test`() = runBlocking<Unit> {
        val start = clock.instant()
        repeat(10) { exports.export() }
        assertThat(clock.instant()).isEqualTo(start.plusSeconds(9 * 60))
    }

    open class Exports {

        @RateLimited("export", max = 1, period = 60, algorithm = Algorithm.LEAKY_BUCKET, maxWait = "1h")
        open suspend fun export() = "exported"
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import(Exports::class)
    open class Application
}
