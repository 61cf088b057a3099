package io.github.ratelimit.compatibility.kotlin

import io.github.ratelimit.RateLimitExceededException
import io.github.ratelimit.RateLimiterRegistry
import io.github.ratelimit.annotation.RateLimited
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.springframework.boot.SpringBootConfiguration
import org.springframework.boot.WebApplicationType
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.context.ConfigurableApplicationContext
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Import
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration
import java.util.concurrent.CancellationException
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.atomic.AtomicInteger

/**
 * Kotlin functions are decided before they run, and suspending ones never block a thread.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SuspendingFunctionTests {

    private lateinit var context: ConfigurableApplicationContext

    private val calls get() = context.getBean(Calls::class.java)

    @BeforeAll
    fun start() {
        context = SpringApplicationBuilder(Application::class.java)
            .web(WebApplicationType.REACTIVE)
            .properties("ratelimit.store=local", "server.port=0", "spring.main.banner-mode=off")
            .run()
    }

    @AfterAll
    fun stop() = context.close()

    @Test
    fun `admitted call takes one permit and returns its value`() = runBlocking<Unit> {
        assertThat(calls.suspending("admitted")).isEqualTo("admitted")
        assertThat(remaining("calls-suspending", "admitted")).isEqualTo(1)
    }

    @Test
    fun `denied call throws before anything runs`() = runBlocking<Unit> {
        repeat(2) { calls.suspending("denied") }
        val runs = calls.runs.get()
        assertThatExceptionOfType(RateLimitExceededException::class.java)
            .isThrownBy { runBlocking { calls.suspending("denied") } }
        assertThat(calls.runs).hasValue(runs)
    }

    @Test
    fun `nullable result may be null`() = runBlocking<Unit> {
        assertThat(calls.nothing("key")).isNull()
        assertThat(remaining("calls-nothing", "key")).isEqualTo(1)
    }

    @Test
    fun `unit is returned as such`() = runBlocking<Unit> {
        assertThat(calls.unit("key")).isEqualTo(Unit)
        assertThat(remaining("calls-unit", "key")).isEqualTo(1)
    }

    @Test
    fun `exception of the function comes out as it is`() {
        assertThatExceptionOfType(IllegalStateException::class.java)
            .isThrownBy { runBlocking { calls.failing() } }
            .withMessage("own")
    }

    @Test
    fun `flow is decided with every collection`() = runBlocking<Unit> {
        val flow = calls.flow("flow")
        assertThat(remaining("calls-flow", "flow")).isEqualTo(2)
        assertThat(flow.toList()).containsExactly("one", "two")
        assertThat(flow.toList()).containsExactly("one", "two")
        assertThatExceptionOfType(RateLimitExceededException::class.java).isThrownBy { runBlocking { flow.toList() } }
    }

    @Test
    fun `suspending function that returns a flow gives all of it`() = runBlocking<Unit> {
        assertThat(calls.suspendingFlow("key").toList()).containsExactly("one", "two")
    }

    @Test
    fun `plain function waits for its decision`() {
        repeat(2) { calls.plain("plain") }
        assertThatExceptionOfType(RateLimitExceededException::class.java).isThrownBy { calls.plain("plain") }
    }

    @Test
    fun `suspending fallback answers a denied call`() = runBlocking<Unit> {
        repeat(2) { calls.withFallback("key") }
        assertThat(calls.withFallback("key")).isEqualTo("instead of key")
    }

    @Test
    fun `suspending fallback may take the denial`() = runBlocking<Unit> {
        repeat(2) { calls.withDenial("key") }
        assertThat(calls.withDenial("key")).isEqualTo("key of calls-with-denial")
    }

    @Test
    fun `call that waits for its turn suspends`() = runBlocking<Unit> {
        val start = System.nanoTime()
        repeat(3) { calls.waiting() }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(190))
    }

    @Test
    fun `call ends once with its outcome`() = runBlocking<Unit> {
        val ends = context.getBean(Ends::class.java)
        calls.ending("value")
        assertThatExceptionOfType(IllegalStateException::class.java).isThrownBy { runBlocking { calls.ending(null) } }
        val never = launch { calls.ending("never") }
        while (remaining("ending", "") > 8) {
            delay(1)
        }
        never.cancelAndJoin()
        calls.endingFlow(1).toList()
        calls.endingFlow(60_000).first()
        await().untilAsserted {
            assertThat(ends.seen).containsExactly(
                "value null", "null IllegalStateException", "null CancellationException",
                "null null", "null CancellationException"
            )
            assertThat(remaining("ending", "")).isEqualTo(9)
        }
    }

    @Test
    fun `suspending handler answers 429 with limit headers`() {
        assertThat(post("/suspending?userId=laoqian").headers().firstValue("RateLimit"))
            .hasValue("\"replies-reply\";r=1;t=60")
        assertThat(post("/suspending?userId=laoqian").statusCode()).isEqualTo(200)
        val denied = post("/suspending?userId=laoqian")
        assertThat(denied.statusCode()).isEqualTo(429)
        assertThat(denied.headers().firstValueAsLong("Retry-After").orElseThrow()).isBetween(1, 60)
    }

    private fun post(path: String): HttpResponse<String> {
        val port = context.environment.getRequiredProperty("local.server.port")
        val client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()
        val request = HttpRequest.newBuilder(URI.create("http://localhost:$port$path"))
            .timeout(Duration.ofSeconds(10))
            .POST(HttpRequest.BodyPublishers.noBody())
            .build()
        return client.send(request, HttpResponse.BodyHandlers.ofString())
    }

    private fun remaining(rule: String, key: String) =
        context.getBean(RateLimiterRegistry::class.java).limiter(rule).peek(key).remaining()

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Calls::class, Replies::class)
    class Application {

        @Bean
        fun ends() = Ends()

    }

    class Ends {

        val seen = CopyOnWriteArrayList<String>()

        fun add(result: Any?, error: Throwable?): Boolean {
            seen.add("$result ${error?.javaClass?.simpleName}")
            return error !is IllegalStateException || error is CancellationException
        }

    }

    open class Calls {

        @RateLimited(name = "ending", max = 10, period = 3600, unless = "@ends.add(#result, #error)")
        open suspend fun ending(value: String?): String {
            delay(if (value == "never") 60_000 else 1)
            return value ?: throw IllegalStateException("own")
        }

        @RateLimited(name = "ending", unless = "@ends.add(#result, #error)")
        open fun endingFlow(pause: Long): Flow<String> = flow {
            emit("one")
            delay(pause)
            emit("two")
        }

        open val runs = AtomicInteger()

        @RateLimited(key = "#user", max = 2, period = 60)
        open suspend fun suspending(user: String): String {
            runs.incrementAndGet()
            delay(1)
            return user
        }

        @RateLimited(key = "#user", max = 2, period = 60)
        open suspend fun nothing(user: String): String? = null

        @RateLimited(key = "#user", max = 2, period = 60)
        open suspend fun unit(user: String) = delay(1)

        @RateLimited(max = 2, period = 60)
        open suspend fun failing(): String = throw IllegalStateException("own")

        @RateLimited(key = "#user", max = 2, period = 60)
        open fun flow(user: String): Flow<String> = flowOf("one", "two")

        @RateLimited(key = "#user", max = 2, period = 60)
        open suspend fun suspendingFlow(user: String): Flow<String> = flowOf("one", "two")

        @RateLimited(key = "#user", max = 2, period = 60)
        open fun plain(user: String): String = user

        @RateLimited(key = "#user", max = 2, period = 60, fallback = "instead")
        open suspend fun withFallback(user: String): String = user

        open suspend fun instead(user: String): String {
            delay(1)
            return "instead of $user"
        }

        @RateLimited(key = "#user", max = 2, period = 60, fallback = "denied")
        open suspend fun withDenial(user: String): String = user

        open suspend fun denied(user: String, denial: RateLimitExceededException): String = "$user of ${denial.rule()}"

        @RateLimited(max = 10, period = 1, maxWait = "1s", algorithm = io.github.ratelimit.Algorithm.LEAKY_BUCKET)
        open suspend fun waiting() = delay(1)
    }

    @RestController
    open class Replies {

        @PostMapping("/suspending")
        @RateLimited(name = "replies-reply", key = "#userId", max = 2, period = 60)
        open suspend fun reply(@RequestParam userId: String): String = userId
    }
}
