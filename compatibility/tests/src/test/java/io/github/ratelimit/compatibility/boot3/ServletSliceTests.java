package io.github.ratelimit.compatibility.boot3;

import io.github.ratelimit.compatibility.ServletSlice;

import org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest;

@WebMvcTest
class ServletSliceTests extends ServletSlice {

}
