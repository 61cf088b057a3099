plugins {
    java
    id("org.springframework.boot") version "4.1.2"
    id("io.spring.dependency-management") version "1.1.7"
}

group = "com.example"
version = "0.0.1-SNAPSHOT"

java {
    toolchain {
        languageVersion = JavaLanguageVersion.of(17)
    }
}

repositories {
    mavenLocal() // until 0.1.0 is released
    mavenCentral()
}

val ratelimitVersion = "0.1.0-SNAPSHOT"

dependencies {
    implementation("org.springframework.boot:spring-boot-starter-webmvc")
    implementation("io.github.ratelimit:ratelimit-spring-boot-starter:$ratelimitVersion")

    testImplementation("org.springframework.boot:spring-boot-starter-test")
    testImplementation("io.github.ratelimit:ratelimit-spring-boot-test:$ratelimitVersion")
    testRuntimeOnly("org.junit.platform:junit-platform-launcher")
}

tasks.withType<Test> {
    useJUnitPlatform()
}
