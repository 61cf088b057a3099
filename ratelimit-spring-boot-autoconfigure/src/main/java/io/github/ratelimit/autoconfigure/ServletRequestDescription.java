package io.github.ratelimit.autoconfigure;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;

import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

/**
 * {@link RequestDescriptionBody Descriptions} of requests to an endpoint of Spring MVC.
 */
@ControllerAdvice
final class ServletRequestDescription extends RequestBodyAdviceAdapter {

	private final String path;

	ServletRequestDescription(String path) {
		this.path = path;
	}

	@Override
	public boolean supports(MethodParameter parameter, Type type,
			Class<? extends HttpMessageConverter<?>> converterType) {
		return parameter.getDeclaringClass().getName().endsWith("AbstractWebMvcEndpointHandlerMapping$OperationHandler")
				&& (uri().endsWith(this.path) || uri().contains(this.path + '/'));
	}

	private static String uri() {
		return (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes current)
				? current.getRequest().getRequestURI() : "";
	}

	@Override
	public HttpInputMessage beforeBodyRead(HttpInputMessage message, MethodParameter parameter, Type type,
			Class<? extends HttpMessageConverter<?>> converterType) throws IOException {
		byte[] read = message.getBody().readNBytes(RequestDescriptionBody.LARGEST + 1);
		InputStream body = new ByteArrayInputStream((read.length > RequestDescriptionBody.LARGEST)
				? RequestDescriptionBody.NO_OBJECT : RequestDescriptionBody.texts(read, uri().endsWith(this.path)));
		return new HttpInputMessage() {

			@Override
			public InputStream getBody() {
				return body;
			}

			@Override
			public HttpHeaders getHeaders() {
				return message.getHeaders();
			}

		};
	}

}
