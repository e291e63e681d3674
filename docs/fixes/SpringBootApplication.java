package org.springframework.boot.autoconfigure;

import java.lang.annotation.*;
import org.springframework.context.annotation.ComponentScan;

/** The part of Spring Boot's annotation that the documented fixes need. */
@ComponentScan
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface SpringBootApplication {}
