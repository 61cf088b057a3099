rootProject.name = "ratelimit-gradle"
