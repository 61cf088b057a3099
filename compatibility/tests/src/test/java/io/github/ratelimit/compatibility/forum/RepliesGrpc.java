package io.github.ratelimit.compatibility.forum;

import java.util.Iterator;

import com.google.protobuf.Int64Value;
import com.google.protobuf.Message;
import com.google.protobuf.StringValue;
import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.protobuf.ProtoFileDescriptorSupplier;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.AbstractAsyncStub;
import io.grpc.stub.AbstractBlockingStub;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;

/**
 * Replies of a forum, one method per type of call: what is generated for
 * {@code forum.proto}, as far as the tests need it.
 */
public final class RepliesGrpc {

	public static final String SERVICE_NAME = "forum.Replies";

	private static final MethodDescriptor<StringValue, StringValue> REPLY = method("Reply", MethodType.UNARY,
			StringValue.getDefaultInstance());

	private static final MethodDescriptor<StringValue, StringValue> LIST = method("List", MethodType.SERVER_STREAMING,
			StringValue.getDefaultInstance());

	private static final MethodDescriptor<StringValue, Int64Value> IMPORT = method("Import",
			MethodType.CLIENT_STREAMING, Int64Value.getDefaultInstance());

	private static final MethodDescriptor<StringValue, StringValue> CHAT = method("Chat", MethodType.BIDI_STREAMING,
			StringValue.getDefaultInstance());

	private RepliesGrpc() {
	}

	private static <R extends Message> MethodDescriptor<StringValue, R> method(String name, MethodType type,
			R response) {
		return MethodDescriptor.<StringValue, R>newBuilder()
			.setType(type)
			.setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE_NAME, name))
			.setSampledToLocalTracing(true)
			.setRequestMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
			.setResponseMarshaller(ProtoUtils.marshaller(response))
			.build();
	}

	public static MethodDescriptor<StringValue, StringValue> getReplyMethod() {
		return REPLY;
	}

	public static MethodDescriptor<StringValue, StringValue> getListMethod() {
		return LIST;
	}

	public static MethodDescriptor<StringValue, StringValue> getChatMethod() {
		return CHAT;
	}

	public static RepliesStub newStub(Channel channel) {
		return RepliesStub.newStub(RepliesStub::new, channel);
	}

	public static RepliesBlockingStub newBlockingStub(Channel channel) {
		return RepliesBlockingStub.newStub(RepliesBlockingStub::new, channel);
	}

	/**
	 * Methods of the service.
	 */
	public interface AsyncService {

		default void reply(StringValue request, StreamObserver<StringValue> answer) {
			ServerCalls.asyncUnimplementedUnaryCall(REPLY, answer);
		}

		default void list(StringValue request, StreamObserver<StringValue> answer) {
			ServerCalls.asyncUnimplementedUnaryCall(LIST, answer);
		}

		default StreamObserver<StringValue> import_(StreamObserver<Int64Value> answer) {
			return ServerCalls.asyncUnimplementedStreamingCall(IMPORT, answer);
		}

		default StreamObserver<StringValue> chat(StreamObserver<StringValue> answer) {
			return ServerCalls.asyncUnimplementedStreamingCall(CHAT, answer);
		}

	}

	/**
	 * Base class of the service.
	 */
	public abstract static class RepliesImplBase implements BindableService, AsyncService {

		@Override
		public final ServerServiceDefinition bindService() {
			return RepliesGrpc.bindService(this);
		}

	}

	private static ServerServiceDefinition bindService(AsyncService service) {
		ProtoFileDescriptorSupplier file = ForumProto::getDescriptor;
		ServiceDescriptor description = ServiceDescriptor.newBuilder(SERVICE_NAME)
			.setSchemaDescriptor(file)
			.addMethod(REPLY)
			.addMethod(LIST)
			.addMethod(IMPORT)
			.addMethod(CHAT)
			.build();
		return ServerServiceDefinition.builder(description)
			.addMethod(REPLY, ServerCalls.asyncUnaryCall(service::reply))
			.addMethod(LIST, ServerCalls.asyncServerStreamingCall(service::list))
			.addMethod(IMPORT, ServerCalls.asyncClientStreamingCall(service::import_))
			.addMethod(CHAT, ServerCalls.asyncBidiStreamingCall(service::chat))
			.build();
	}

	/**
	 * Asynchronous client.
	 */
	public static final class RepliesStub extends AbstractAsyncStub<RepliesStub> {

		private RepliesStub(Channel channel, CallOptions options) {
			super(channel, options);
		}

		@Override
		protected RepliesStub build(Channel channel, CallOptions options) {
			return new RepliesStub(channel, options);
		}

		public void reply(StringValue request, StreamObserver<StringValue> answer) {
			ClientCalls.asyncUnaryCall(getChannel().newCall(REPLY, getCallOptions()), request, answer);
		}

		public StreamObserver<StringValue> import_(StreamObserver<Int64Value> answer) {
			return ClientCalls.asyncClientStreamingCall(getChannel().newCall(IMPORT, getCallOptions()), answer);
		}

		public StreamObserver<StringValue> chat(StreamObserver<StringValue> answer) {
			return ClientCalls.asyncBidiStreamingCall(getChannel().newCall(CHAT, getCallOptions()), answer);
		}

	}

	/**
	 * Blocking client.
	 */
	public static final class RepliesBlockingStub extends AbstractBlockingStub<RepliesBlockingStub> {

		private RepliesBlockingStub(Channel channel, CallOptions options) {
			super(channel, options);
		}

		@Override
		protected RepliesBlockingStub build(Channel channel, CallOptions options) {
			return new RepliesBlockingStub(channel, options);
		}

		public StringValue reply(StringValue request) {
			return ClientCalls.blockingUnaryCall(getChannel(), REPLY, getCallOptions(), request);
		}

		public Iterator<StringValue> list(StringValue request) {
			return ClientCalls.blockingServerStreamingCall(getChannel(), LIST, getCallOptions(), request);
		}

	}

}
