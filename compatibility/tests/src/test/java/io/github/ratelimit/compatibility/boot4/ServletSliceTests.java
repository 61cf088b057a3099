package io.github.ratelimit.compatibility.boot4;

import io.github.ratelimit.compatibility.ServletSlice;

import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;

@WebMvcTest
class ServletSliceTests extends ServletSlice {

}
