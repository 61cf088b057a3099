package io.github.ratelimit.compatibility.boot3;

import io.github.ratelimit.compatibility.ReactiveSlice;

import org.springframework.boot.test.autoconfigure.web.reactive.WebFluxTest;

@WebFluxTest
class ReactiveSliceTests extends ReactiveSlice {

}
