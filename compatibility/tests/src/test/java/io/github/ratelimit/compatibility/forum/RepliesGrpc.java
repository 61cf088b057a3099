package io.github.ratelimit.compatibility.forum;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Replies of a forum, one method per type of call.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class RepliesGrpc {

	private RepliesGrpc() {
	}

	public static final java.lang.String SERVICE_NAME = "forum.Replies";

	// Static method descriptors that strictly reflect the proto.
	private static volatile io.grpc.MethodDescriptor<com.google.protobuf.StringValue, com.google.protobuf.StringValue> getReplyMethod;

	@io.grpc.stub.annotations.RpcMethod(fullMethodName = SERVICE_NAME + '/' + "Reply",
			requestType = com.google.protobuf.StringValue.class, responseType = com.google.protobuf.StringValue.class,
			methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
	public static io.grpc.MethodDescriptor<com.google.protobuf.StringValue, com.google.protobuf.StringValue> getReplyMethod() {
		io.grpc.MethodDescriptor<com.google.protobuf.StringValue, com.google.protobuf.StringValue> getReplyMethod;
		if ((getReplyMethod = RepliesGrpc.getReplyMethod) == null) {
			synchronized (RepliesGrpc.class) {
				if ((getReplyMethod = RepliesGrpc.getReplyMethod) == null) {
					RepliesGrpc.getReplyMethod = getReplyMethod = io.grpc.MethodDescriptor.<com.google.protobuf.StringValue, com.google.protobuf.StringValue>newBuilder()
						.setType(io.grpc.MethodDescriptor.MethodType.UNARY)
						.setFullMethodName(generateFullMethodName(SERVICE_NAME, "Reply"))
						.setSampledToLocalTracing(true)
						.setRequestMarshaller(io.grpc.protobuf.ProtoUtils
							.marshaller(com.google.protobuf.StringValue.getDefaultInstance()))
						.setResponseMarshaller(io.grpc.protobuf.ProtoUtils
							.marshaller(com.google.protobuf.StringValue.getDefaultInstance()))
						.setSchemaDescriptor(new RepliesMethodDescriptorSupplier("Reply"))
						.build();
				}
			}
		}
		return getReplyMethod;
	}

	private static volatile io.grpc.MethodDescriptor<com.google.protobuf.StringValue, com.google.protobuf.StringValue> getListMethod;

	@io.grpc.stub.annotations.RpcMethod(fullMethodName = SERVICE_NAME + '/' + "List",
			requestType = com.google.protobuf.StringValue.class, responseType = com.google.protobuf.StringValue.class,
			methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
	public static io.grpc.MethodDescriptor<com.google.protobuf.StringValue, com.google.protobuf.StringValue> getListMethod() {
		io.grpc.MethodDescriptor<com.google.protobuf.StringValue, com.google.protobuf.StringValue> getListMethod;
		if ((getListMethod = RepliesGrpc.getListMethod) == null) {
			synchronized (RepliesGrpc.class) {
				if ((getListMethod = RepliesGrpc.getListMethod) == null) {
					RepliesGrpc.getListMethod = getListMethod = io.grpc.MethodDescriptor.<com.google.protobuf.StringValue, com.google.protobuf.StringValue>newBuilder()
						.setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
						.setFullMethodName(generateFullMethodName(SERVICE_NAME, "List"))
						.setSampledToLocalTracing(true)
						.setRequestMarshaller(io.grpc.protobuf.ProtoUtils
							.marshaller(com.google.protobuf.StringValue.getDefaultInstance()))
						.setResponseMarshaller(io.grpc.protobuf.ProtoUtils
							.marshaller(com.google.protobuf.StringValue.getDefaultInstance()))
						.setSchemaDescriptor(new RepliesMethodDescriptorSupplier("List"))
						.build();
				}
			}
		}
		return getListMethod;
	}

	private static volatile io.grpc.MethodDescriptor<com.google.protobuf.StringValue, com.google.protobuf.Int64Value> getImportMethod;

	@io.grpc.stub.annotations.RpcMethod(fullMethodName = SERVICE_NAME + '/' + "Import",
			requestType = com.google.protobuf.StringValue.class, responseType = com.google.protobuf.Int64Value.class,
			methodType = io.grpc.MethodDescriptor.MethodType.CLIENT_STREAMING)
	public static io.grpc.MethodDescriptor<com.google.protobuf.StringValue, com.google.protobuf.Int64Value> getImportMethod() {
		io.grpc.MethodDescriptor<com.google.protobuf.StringValue, com.google.protobuf.Int64Value> getImportMethod;
		if ((getImportMethod = RepliesGrpc.getImportMethod) == null) {
			synchronized (RepliesGrpc.class) {
				if ((getImportMethod = RepliesGrpc.getImportMethod) == null) {
					RepliesGrpc.getImportMethod = getImportMethod = io.grpc.MethodDescriptor.<com.google.protobuf.StringValue, com.google.protobuf.Int64Value>newBuilder()
						.setType(io.grpc.MethodDescriptor.MethodType.CLIENT_STREAMING)
						.setFullMethodName(generateFullMethodName(SERVICE_NAME, "Import"))
						.setSampledToLocalTracing(true)
						.setRequestMarshaller(io.grpc.protobuf.ProtoUtils
							.marshaller(com.google.protobuf.StringValue.getDefaultInstance()))
						.setResponseMarshaller(io.grpc.protobuf.ProtoUtils
							.marshaller(com.google.protobuf.Int64Value.getDefaultInstance()))
						.setSchemaDescriptor(new RepliesMethodDescriptorSupplier("Import"))
						.build();
				}
			}
		}
		return getImportMethod;
	}

	private static volatile io.grpc.MethodDescriptor<com.google.protobuf.StringValue, com.google.protobuf.StringValue> getChatMethod;

	@io.grpc.stub.annotations.RpcMethod(fullMethodName = SERVICE_NAME + '/' + "Chat",
			requestType = com.google.protobuf.StringValue.class, responseType = com.google.protobuf.StringValue.class,
			methodType = io.grpc.MethodDescriptor.MethodType.BIDI_STREAMING)
	public static io.grpc.MethodDescriptor<com.google.protobuf.StringValue, com.google.protobuf.StringValue> getChatMethod() {
		io.grpc.MethodDescriptor<com.google.protobuf.StringValue, com.google.protobuf.StringValue> getChatMethod;
		if ((getChatMethod = RepliesGrpc.getChatMethod) == null) {
			synchronized (RepliesGrpc.class) {
				if ((getChatMethod = RepliesGrpc.getChatMethod) == null) {
					RepliesGrpc.getChatMethod = getChatMethod = io.grpc.MethodDescriptor.<com.google.protobuf.StringValue, com.google.protobuf.StringValue>newBuilder()
						.setType(io.grpc.MethodDescriptor.MethodType.BIDI_STREAMING)
						.setFullMethodName(generateFullMethodName(SERVICE_NAME, "Chat"))
						.setSampledToLocalTracing(true)
						.setRequestMarshaller(io.grpc.protobuf.ProtoUtils
							.marshaller(com.google.protobuf.StringValue.getDefaultInstance()))
						.setResponseMarshaller(io.grpc.protobuf.ProtoUtils
							.marshaller(com.google.protobuf.StringValue.getDefaultInstance()))
						.setSchemaDescriptor(new RepliesMethodDescriptorSupplier("Chat"))
						.build();
				}
			}
		}
		return getChatMethod;
	}

	/**
	 * Creates a new async stub that supports all call types for the service
	 */
	public static RepliesStub newStub(io.grpc.Channel channel) {
		io.grpc.stub.AbstractStub.StubFactory<RepliesStub> factory = new io.grpc.stub.AbstractStub.StubFactory<RepliesStub>() {
			@java.lang.Override
			public RepliesStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
				return new RepliesStub(channel, callOptions);
			}
		};
		return RepliesStub.newStub(factory, channel);
	}

	/**
	 * Creates a new blocking-style stub that supports all types of calls on the service
	 */
	public static RepliesBlockingV2Stub newBlockingV2Stub(io.grpc.Channel channel) {
		io.grpc.stub.AbstractStub.StubFactory<RepliesBlockingV2Stub> factory = new io.grpc.stub.AbstractStub.StubFactory<RepliesBlockingV2Stub>() {
			@java.lang.Override
			public RepliesBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
				return new RepliesBlockingV2Stub(channel, callOptions);
			}
		};
		return RepliesBlockingV2Stub.newStub(factory, channel);
	}

	/**
	 * Creates a new blocking-style stub that supports unary and streaming output calls on
	 * the service
	 */
	public static RepliesBlockingStub newBlockingStub(io.grpc.Channel channel) {
		io.grpc.stub.AbstractStub.StubFactory<RepliesBlockingStub> factory = new io.grpc.stub.AbstractStub.StubFactory<RepliesBlockingStub>() {
			@java.lang.Override
			public RepliesBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
				return new RepliesBlockingStub(channel, callOptions);
			}
		};
		return RepliesBlockingStub.newStub(factory, channel);
	}

	/**
	 * Creates a new ListenableFuture-style stub that supports unary calls on the service
	 */
	public static RepliesFutureStub newFutureStub(io.grpc.Channel channel) {
		io.grpc.stub.AbstractStub.StubFactory<RepliesFutureStub> factory = new io.grpc.stub.AbstractStub.StubFactory<RepliesFutureStub>() {
			@java.lang.Override
			public RepliesFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
				return new RepliesFutureStub(channel, callOptions);
			}
		};
		return RepliesFutureStub.newStub(factory, channel);
	}

	/**
	 * <pre>
	 * Replies of a forum, one method per type of call.
	 * </pre>
	 */
	public interface AsyncService {

		/**
		 */
		default void reply(com.google.protobuf.StringValue request,
				io.grpc.stub.StreamObserver<com.google.protobuf.StringValue> responseObserver) {
			io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getReplyMethod(), responseObserver);
		}

		/**
		 */
		default void list(com.google.protobuf.StringValue request,
				io.grpc.stub.StreamObserver<com.google.protobuf.StringValue> responseObserver) {
			io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListMethod(), responseObserver);
		}

		/**
		 */
		default io.grpc.stub.StreamObserver<com.google.protobuf.StringValue> import_(
				io.grpc.stub.StreamObserver<com.google.protobuf.Int64Value> responseObserver) {
			return io.grpc.stub.ServerCalls.asyncUnimplementedStreamingCall(getImportMethod(), responseObserver);
		}

		/**
		 */
		default io.grpc.stub.StreamObserver<com.google.protobuf.StringValue> chat(
				io.grpc.stub.StreamObserver<com.google.protobuf.StringValue> responseObserver) {
			return io.grpc.stub.ServerCalls.asyncUnimplementedStreamingCall(getChatMethod(), responseObserver);
		}

	}

	/**
	 * Base class for the server implementation of the service Replies. <pre>
	 * Replies of a forum, one method per type of call.
	 * </pre>
	 */
	public static abstract class RepliesImplBase implements io.grpc.BindableService, AsyncService {

		@java.lang.Override
		public final io.grpc.ServerServiceDefinition bindService() {
			return RepliesGrpc.bindService(this);
		}

	}

	/**
	 * A stub to allow clients to do asynchronous rpc calls to service Replies. <pre>
	 * Replies of a forum, one method per type of call.
	 * </pre>
	 */
	public static final class RepliesStub extends io.grpc.stub.AbstractAsyncStub<RepliesStub> {

		private RepliesStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
			super(channel, callOptions);
		}

		@java.lang.Override
		protected RepliesStub build(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
			return new RepliesStub(channel, callOptions);
		}

		/**
		 */
		public void reply(com.google.protobuf.StringValue request,
				io.grpc.stub.StreamObserver<com.google.protobuf.StringValue> responseObserver) {
			io.grpc.stub.ClientCalls.asyncUnaryCall(getChannel().newCall(getReplyMethod(), getCallOptions()), request,
					responseObserver);
		}

		/**
		 */
		public void list(com.google.protobuf.StringValue request,
				io.grpc.stub.StreamObserver<com.google.protobuf.StringValue> responseObserver) {
			io.grpc.stub.ClientCalls.asyncServerStreamingCall(getChannel().newCall(getListMethod(), getCallOptions()),
					request, responseObserver);
		}

		/**
		 */
		public io.grpc.stub.StreamObserver<com.google.protobuf.StringValue> import_(
				io.grpc.stub.StreamObserver<com.google.protobuf.Int64Value> responseObserver) {
			return io.grpc.stub.ClientCalls
				.asyncClientStreamingCall(getChannel().newCall(getImportMethod(), getCallOptions()), responseObserver);
		}

		/**
		 */
		public io.grpc.stub.StreamObserver<com.google.protobuf.StringValue> chat(
				io.grpc.stub.StreamObserver<com.google.protobuf.StringValue> responseObserver) {
			return io.grpc.stub.ClientCalls
				.asyncBidiStreamingCall(getChannel().newCall(getChatMethod(), getCallOptions()), responseObserver);
		}

	}

	/**
	 * A stub to allow clients to do synchronous rpc calls to service Replies. <pre>
	 * Replies of a forum, one method per type of call.
	 * </pre>
	 */
	public static final class RepliesBlockingV2Stub extends io.grpc.stub.AbstractBlockingStub<RepliesBlockingV2Stub> {

		private RepliesBlockingV2Stub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
			super(channel, callOptions);
		}

		@java.lang.Override
		protected RepliesBlockingV2Stub build(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
			return new RepliesBlockingV2Stub(channel, callOptions);
		}

		/**
		 */
		public com.google.protobuf.StringValue reply(com.google.protobuf.StringValue request) {
			return io.grpc.stub.ClientCalls.blockingUnaryCall(getChannel(), getReplyMethod(), getCallOptions(),
					request);
		}

		/**
		 */
		@io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
		public io.grpc.stub.BlockingClientCall<?, com.google.protobuf.StringValue> list(
				com.google.protobuf.StringValue request) {
			return io.grpc.stub.ClientCalls.blockingV2ServerStreamingCall(getChannel(), getListMethod(),
					getCallOptions(), request);
		}

		/**
		 */
		@io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
		public io.grpc.stub.BlockingClientCall<com.google.protobuf.StringValue, com.google.protobuf.Int64Value> import_() {
			return io.grpc.stub.ClientCalls.blockingClientStreamingCall(getChannel(), getImportMethod(),
					getCallOptions());
		}

		/**
		 */
		@io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
		public io.grpc.stub.BlockingClientCall<com.google.protobuf.StringValue, com.google.protobuf.StringValue> chat() {
			return io.grpc.stub.ClientCalls.blockingBidiStreamingCall(getChannel(), getChatMethod(), getCallOptions());
		}

	}

	/**
	 * A stub to allow clients to do limited synchronous rpc calls to service Replies.
	 * <pre>
	 * Replies of a forum, one method per type of call.
	 * </pre>
	 */
	public static final class RepliesBlockingStub extends io.grpc.stub.AbstractBlockingStub<RepliesBlockingStub> {

		private RepliesBlockingStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
			super(channel, callOptions);
		}

		@java.lang.Override
		protected RepliesBlockingStub build(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
			return new RepliesBlockingStub(channel, callOptions);
		}

		/**
		 */
		public com.google.protobuf.StringValue reply(com.google.protobuf.StringValue request) {
			return io.grpc.stub.ClientCalls.blockingUnaryCall(getChannel(), getReplyMethod(), getCallOptions(),
					request);
		}

		/**
		 */
		public java.util.Iterator<com.google.protobuf.StringValue> list(com.google.protobuf.StringValue request) {
			return io.grpc.stub.ClientCalls.blockingServerStreamingCall(getChannel(), getListMethod(), getCallOptions(),
					request);
		}

	}

	/**
	 * A stub to allow clients to do ListenableFuture-style rpc calls to service Replies.
	 * <pre>
	 * Replies of a forum, one method per type of call.
	 * </pre>
	 */
	public static final class RepliesFutureStub extends io.grpc.stub.AbstractFutureStub<RepliesFutureStub> {

		private RepliesFutureStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
			super(channel, callOptions);
		}

		@java.lang.Override
		protected RepliesFutureStub build(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
			return new RepliesFutureStub(channel, callOptions);
		}

		/**
		 */
		public com.google.common.util.concurrent.ListenableFuture<com.google.protobuf.StringValue> reply(
				com.google.protobuf.StringValue request) {
			return io.grpc.stub.ClientCalls.futureUnaryCall(getChannel().newCall(getReplyMethod(), getCallOptions()),
					request);
		}

	}

	private static final int METHODID_REPLY = 0;

	private static final int METHODID_LIST = 1;

	private static final int METHODID_IMPORT = 2;

	private static final int METHODID_CHAT = 3;

	private static final class MethodHandlers<Req, Resp> implements io.grpc.stub.ServerCalls.UnaryMethod<Req, Resp>,
			io.grpc.stub.ServerCalls.ServerStreamingMethod<Req, Resp>,
			io.grpc.stub.ServerCalls.ClientStreamingMethod<Req, Resp>,
			io.grpc.stub.ServerCalls.BidiStreamingMethod<Req, Resp> {

		private final AsyncService serviceImpl;

		private final int methodId;

		MethodHandlers(AsyncService serviceImpl, int methodId) {
			this.serviceImpl = serviceImpl;
			this.methodId = methodId;
		}

		@java.lang.Override
		@java.lang.SuppressWarnings("unchecked")
		public void invoke(Req request, io.grpc.stub.StreamObserver<Resp> responseObserver) {
			switch (methodId) {
				case METHODID_REPLY:
					serviceImpl.reply((com.google.protobuf.StringValue) request,
							(io.grpc.stub.StreamObserver<com.google.protobuf.StringValue>) responseObserver);
					break;
				case METHODID_LIST:
					serviceImpl.list((com.google.protobuf.StringValue) request,
							(io.grpc.stub.StreamObserver<com.google.protobuf.StringValue>) responseObserver);
					break;
				default:
					throw new AssertionError();
			}
		}

		@java.lang.Override
		@java.lang.SuppressWarnings("unchecked")
		public io.grpc.stub.StreamObserver<Req> invoke(io.grpc.stub.StreamObserver<Resp> responseObserver) {
			switch (methodId) {
				case METHODID_IMPORT:
					return (io.grpc.stub.StreamObserver<Req>) serviceImpl
						.import_((io.grpc.stub.StreamObserver<com.google.protobuf.Int64Value>) responseObserver);
				case METHODID_CHAT:
					return (io.grpc.stub.StreamObserver<Req>) serviceImpl
						.chat((io.grpc.stub.StreamObserver<com.google.protobuf.StringValue>) responseObserver);
				default:
					throw new AssertionError();
			}
		}

	}

	public static final io.grpc.ServerServiceDefinition bindService(AsyncService service) {
		return io.grpc.ServerServiceDefinition.builder(getServiceDescriptor())
			.addMethod(getReplyMethod(),
					io.grpc.stub.ServerCalls.asyncUnaryCall(
							new MethodHandlers<com.google.protobuf.StringValue, com.google.protobuf.StringValue>(
									service, METHODID_REPLY)))
			.addMethod(getListMethod(),
					io.grpc.stub.ServerCalls.asyncServerStreamingCall(
							new MethodHandlers<com.google.protobuf.StringValue, com.google.protobuf.StringValue>(
									service, METHODID_LIST)))
			.addMethod(getImportMethod(),
					io.grpc.stub.ServerCalls.asyncClientStreamingCall(
							new MethodHandlers<com.google.protobuf.StringValue, com.google.protobuf.Int64Value>(service,
									METHODID_IMPORT)))
			.addMethod(getChatMethod(),
					io.grpc.stub.ServerCalls.asyncBidiStreamingCall(
							new MethodHandlers<com.google.protobuf.StringValue, com.google.protobuf.StringValue>(
									service, METHODID_CHAT)))
			.build();
	}

	private static abstract class RepliesBaseDescriptorSupplier
			implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {

		RepliesBaseDescriptorSupplier() {
		}

		@java.lang.Override
		public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
			return io.github.ratelimit.compatibility.forum.ForumProto.getDescriptor();
		}

		@java.lang.Override
		public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
			return getFileDescriptor().findServiceByName("Replies");
		}

	}

	private static final class RepliesFileDescriptorSupplier extends RepliesBaseDescriptorSupplier {

		RepliesFileDescriptorSupplier() {
		}

	}

	private static final class RepliesMethodDescriptorSupplier extends RepliesBaseDescriptorSupplier
			implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {

		private final java.lang.String methodName;

		RepliesMethodDescriptorSupplier(java.lang.String methodName) {
			this.methodName = methodName;
		}

		@java.lang.Override
		public com.google.protobuf.Descriptors.MethodDescriptor getMethodDescriptor() {
			return getServiceDescriptor().findMethodByName(methodName);
		}

	}

	private static volatile io.grpc.ServiceDescriptor serviceDescriptor;

	public static io.grpc.ServiceDescriptor getServiceDescriptor() {
		io.grpc.ServiceDescriptor result = serviceDescriptor;
		if (result == null) {
			synchronized (RepliesGrpc.class) {
				result = serviceDescriptor;
				if (result == null) {
					serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
						.setSchemaDescriptor(new RepliesFileDescriptorSupplier())
						.addMethod(getReplyMethod())
						.addMethod(getListMethod())
						.addMethod(getImportMethod())
						.addMethod(getChatMethod())
						.build();
				}
			}
		}
		return result;
	}

}
