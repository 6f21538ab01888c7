import Dispatch
import Foundation
import WireKit

#if canImport(dnssd)
    import dnssd
#else
    import CDNSSD
#endif

/// One operation of the DNS-SD library, which delivers replies until it is stopped.
///
/// `@unchecked Sendable`: the state is used on ``queue`` only.
final class Operation: @unchecked Sendable {
    enum Request: Sendable {
        case register(name: String, type: ServiceType, port: UInt16, attributes: TXTRecord)
        case browse(ServiceType)
        case resolve(ServiceInstance)
        /// Addresses of a host: IPv6, otherwise IPv4.
        case addresses(host: String, isIPv6: Bool)
    }

    enum Reply: Sendable {
        /// The library has accepted the request.
        case started
        case registered(name: String)
        /// Reported for each network interface.
        case browsed(ServiceInstance, isAdded: Bool)
        case resolved(host: String, port: UInt16, attributes: TXTRecord)
        case address(IPAddress, isAdded: Bool)
    }

    typealias Replies = AsyncThrowingStream<Reply, any Error>

    /// The only queue for calls to the library: Avahi's must not be called from two threads at once. A call may block until the
    /// system's message bus answers.
    private static let queue = DispatchQueue(label: "dns-sd")
    /// Maximum replies that wait for their reader.
    private static let maximumReplies = 4_096

    private let continuation: Replies.Continuation
    private var reference: DNSServiceRef?
    /// The watch of the library's socket.
    private var watch: ReadinessWatch.ID?
    private var isStopping = false
    private var stopWaiters: [CheckedContinuation<Void, Never>] = []

    private init(_ continuation: Replies.Continuation) { self.continuation = continuation }

    /// Starts an operation and hands its replies to `body`. Returns when `body` has returned and the operation is withdrawn: an announced
    /// service has said goodbye. Cancel the task to end the replies.
    ///
    /// - Throws: The error that `body` throws. The replies end with ``DiscoveryError``.
    static func run<Value: Sendable>(
        _ request: Request, _ body: (Replies) async throws -> Value
    ) async throws -> Value {
        let (replies, continuation) = Replies.makeStream(bufferingPolicy: .bufferingOldest(maximumReplies))
        let operation = Operation(continuation)
        queue.async { operation.start(request) }
        let result: Result<Value, any Error>
        do { result = .success(try await body(replies)) } catch { result = .failure(error) }
        await operation.stop()
        return try result.get()
    }

    // MARK: Methods on the queue

    private func start(_ request: Request) {
        var reference: DNSServiceRef?
        // Unretained: the library's callbacks end before ``stop()``, for which ``run(_:_:)`` waits.
        let code = request.begin(&reference, Unmanaged.passUnretained(self).toOpaque())
        guard code == 0, let reference else { return fail(DiscoveryError(library: code == 0 ? -65_537 : code)) }
        self.reference = reference
        continuation.yield(.started)
        watchSocket(of: reference)
    }

    private func watchSocket(of reference: DNSServiceRef) {
        watch = ReadinessWatch.shared.add(DNSServiceRefSockFD(reference)) { [self] in
            Self.queue.async { [self] in process() }
        }
    }

    private func process() {
        guard let reference, !isStopping else { return }
        let code = DNSServiceProcessResult(reference)
        if code != 0 { fail(DiscoveryError(library: code)) }
        if !isStopping { watchSocket(of: reference) }
    }

    fileprivate func receive(_ reply: Reply) {
        if case .dropped = continuation.yield(reply) {
            fail(DiscoveryError(.overflow, "Services change faster than they are read"))
        }
    }

    /// Ends the replies. The operation itself ends with ``stop()``.
    fileprivate func fail(_ error: DiscoveryError) {
        continuation.finish(throwing: error)
        withdraw()
    }

    private func withdraw() {
        guard reference != nil, !isStopping else { return }
        isStopping = true
        if let watch { ReadinessWatch.shared.cancel(watch) }
        // Deallocates in a block of its own, because the library may be in the middle of a callback.
        Self.queue.async { [self] in
            DNSServiceRefDeallocate(reference)
            reference = nil
            for waiter in stopWaiters { waiter.resume() }
            stopWaiters = []
        }
    }

    // MARK: Stop

    private func stop() async {
        continuation.finish()
        await withCheckedContinuation { waiter in
            Self.queue.async { [self] in
                guard reference != nil else { return waiter.resume() }
                stopWaiters.append(waiter)
                withdraw()
            }
        }
    }
}

/// A service as the library names it.
struct ServiceInstance: Hashable, Sendable {
    var name: String
    /// The type with a final dot, such as `_example._tcp.`.
    var type: String
    /// The domain with a final dot, such as `local.`.
    var domain: String
}

extension Operation.Request {
    /// Calls the library.
    ///
    /// - Returns: The library's error code, or 0.
    fileprivate func begin(_ reference: inout DNSServiceRef?, _ context: UnsafeMutableRawPointer) -> Int32 {
        prepareLibrary()
        switch self {
        case .register(let name, let type, let port, let attributes):
            let record = attributes.encoded
            return DNSServiceRegister(
                &reference, 0, 0, name, type.description, nil, nil, port.bigEndian, UInt16(record.count), record, didRegister,
                context)
        case .browse(let type): return DNSServiceBrowse(&reference, 0, 0, type.description, nil, didBrowse, context)
        case .resolve(let service):
            return DNSServiceResolve(&reference, 0, 0, service.name, service.type, service.domain, didResolve, context)
        case .addresses(let host, let isIPv6):
            return DNSServiceQueryRecord(&reference, 0, 0, host, isIPv6 ? 28 : 1, 1, didQuery, context)
        }
    }
}

#if os(Linux)
    /// Silences Avahi's advice, printed to standard error, to port the program to its own interface. The library reads the variable
    /// at each call, so it is set once before the first.
    private let silence: Void = { _ = setenv("AVAHI_COMPAT_NOWARN", "1", 1) }()
#endif

private func prepareLibrary() {
    #if os(Linux)
        _ = silence
        // Avahi 0.8 leaves the callbacks in a new `DNSServiceRef` uninitialized except its own, and calls one of the others, if it is not
        // null, when the daemon ends. So hand the library zeroed memory: the C library gives the block that a thread freed last to its next
        // request of that size.
        let size = 248
        let block = malloc(size)
        if let block { explicit_bzero(block, size) }
        free(block)
    #endif
}

// MARK: Callbacks on the queue

private func operation(_ context: UnsafeMutableRawPointer?) -> Operation? {
    context.map { Unmanaged<Operation>.fromOpaque($0).takeUnretainedValue() }
}

private let didRegister: DNSServiceRegisterReply = { _, _, error, name, _, _, context in
    guard let operation = operation(context) else { return }
    guard error == 0, let name else { return operation.fail(DiscoveryError(library: error)) }
    operation.receive(.registered(name: String(cString: name)))
}

private let didBrowse: DNSServiceBrowseReply = { _, flags, _, error, name, type, domain, context in
    guard let operation = operation(context) else { return }
    guard error == 0, let name, let type, let domain else { return operation.fail(DiscoveryError(library: error)) }
    let service = ServiceInstance(name: String(cString: name), type: String(cString: type), domain: String(cString: domain))
    operation.receive(.browsed(service, isAdded: flags & DNSServiceFlags(kDNSServiceFlagsAdd) != 0))
}

private let didResolve: DNSServiceResolveReply = { _, _, _, error, _, host, port, length, record, context in
    guard let operation = operation(context) else { return }
    guard error == 0, let host else { return operation.fail(DiscoveryError(library: error)) }
    let attributes = TXTRecord(encoded: UnsafeBufferPointer(start: record, count: record == nil ? 0 : Int(length)))
    operation.receive(.resolved(host: String(cString: host), port: UInt16(bigEndian: port), attributes: attributes))
}

private let didQuery: DNSServiceQueryRecordReply = { _, flags, interface, error, _, _, _, length, data, _, context in
    guard let operation = operation(context) else { return }
    guard error == 0 else { return operation.fail(DiscoveryError(library: error)) }
    guard let data, let address = IPAddress([UInt8](UnsafeRawBufferPointer(start: data, count: Int(length))), interface: interface)
    else { return }
    operation.receive(.address(address, isAdded: flags & DNSServiceFlags(kDNSServiceFlagsAdd) != 0))
}
