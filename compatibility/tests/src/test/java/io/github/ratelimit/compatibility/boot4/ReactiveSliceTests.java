package io.github.ratelimit.compatibility.boot4;

import io.github.ratelimit.compatibility.ReactiveSlice;

import org.springframework.boot.webflux.test.autoconfigure.WebFluxTest;

@WebFluxTest
class ReactiveSliceTests extends ReactiveSlice {

}
