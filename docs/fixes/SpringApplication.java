package org.springframework.boot;

import java.util.*;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.*;
import org.apache.tomcat.util.descriptor.web.*;
import org.springframework.context.annotation.*;
import org.springframework.http.converter.*;
import org.springframework.http.converter.json.*;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.mvc.annotation.*;
import org.springframework.web.servlet.mvc.method.annotation.*;
import org.springframework.web.servlet.mvc.support.*;

/** Does for the documented fixes what Spring Boot does where it is: the application's classes, Tomcat, its access log and valve. */
public class SpringApplication {
    private final Class<?> application;
    private Map<String, Object> properties = Map.of();

    public SpringApplication(Class<?> application) {
        this.application = application;
    }

    public void setDefaultProperties(Map<String, Object> properties) {
        this.properties = properties;
    }

    static class Mvc {
        private static List<HttpMessageConverter<?>> converters() {
            return List.of(new StringHttpMessageConverter(), new MappingJackson2HttpMessageConverter());
        }

        @Bean
        static RequestMappingHandlerMapping routes() {
            return new RequestMappingHandlerMapping();
        }

        @Bean
        static RequestMappingHandlerAdapter handlers() {
            var handlers = new RequestMappingHandlerAdapter();
            handlers.setMessageConverters(converters());
            return handlers;
        }

        @Bean
        static ExceptionHandlerExceptionResolver errors() {
            var errors = new ExceptionHandlerExceptionResolver();
            errors.setMessageConverters(converters());
            return errors;
        }

        @Bean
        static ResponseStatusExceptionResolver statuses() {
            return new ResponseStatusExceptionResolver();
        }

        @Bean
        static DefaultHandlerExceptionResolver others() {
            return new DefaultHandlerExceptionResolver();
        }
    }

    public void run(String... args) throws Exception {
        var tomcat = new Tomcat();
        tomcat.setBaseDir(System.getProperty("user.dir"));
        tomcat.setPort(Integer.parseInt(String.valueOf(properties.get("server.port"))));
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setThrowOnFailure(true);
        var context = tomcat.addContext("", null);
        var beans = new AnnotationConfigWebApplicationContext();
        beans.register(application, SpringApplication.Mvc.class);
        beans.setServletContext(context.getServletContext());
        beans.refresh();
        for (var entry : beans.getBeansOfType(javax.servlet.Filter.class).entrySet()) {
            var filter = new FilterDef();
            filter.setFilterName(entry.getKey());
            filter.setFilter(entry.getValue());
            context.addFilterDef(filter);
            var everything = new FilterMap();
            everything.setFilterName(entry.getKey());
            everything.addURLPattern("/*");
            context.addFilterMap(everything);
        }
        var servlet = Tomcat.addServlet(context, "app", new DispatcherServlet(beans));
        servlet.setLoadOnStartup(1);
        context.addServletMappingDecoded("/", "app");
        if ("native".equals(properties.get("server.forward-headers-strategy")))
            context.getPipeline().addValve(new RemoteIpValve());
        if ("true".equals(properties.get("server.tomcat.accesslog.enabled")))
            context.getPipeline().addValve(accessLog());
        tomcat.start();
        tomcat.getServer().await();
    }

    private AccessLogValve accessLog() {
        var log = new AccessLogValve();
        log.setPattern(String.valueOf(properties.get("server.tomcat.accesslog.pattern")));
        log.setDirectory(".");
        log.setPrefix("program");
        log.setSuffix(".log");
        log.setRotatable(false);
        log.setBuffered(false);
        return log;
    }
}
