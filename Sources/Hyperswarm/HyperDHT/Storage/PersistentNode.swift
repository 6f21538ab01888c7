public import CompactEncoding
public import DHTRPC
public import NIOCore
public import UDX

/// A node that stores records and relays handshakes for others, and makes no connections of its own.
///
/// Private networks and tests consist of such nodes. It is persistent at once, with the id of the address that it listens
/// at; where no bootstrap node answers it stays up and learns of others from their requests.
public actor PersistentNode: EventLoopConfined {
    public nonisolated let eventLoop: any EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    /// Requests and the routing table of this node.
    public nonisolated let rpc: RPCNode
    private var storing = StoringNode()
    private let origin: NIODeadline

    /// - Parameters:
    ///   - address: Address at which others reach this node.
    ///   - transport: Socket that is bound to it, on `eventLoop`.
    public init(address: PeerAddress, bootstrap: [PeerAddress], transport: any DatagramTransport, eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        origin = eventLoop.now
        rpc = RPCNode(
            configuration: RPCConfiguration(bootstrap: bootstrap, role: .persistent(address)), transport: transport,
            eventLoop: eventLoop)
    }

    /// Records under topics.
    public var recordCount: Int { storing.recordCount }
    /// Peers that this node relays to.
    public var routeCount: Int { storing.routeCount }

    /// Joins the network. Does not wait; ``RPCNode/bootstrapped()`` does.
    public func start() {
        rpc.onEventLoop { rpc in
            rpc.setRequestHandler { [weak self] request in self?.onEventLoop { $0.handle(request) } }
            rpc.start()
        }
    }

    /// Ends the node. The owner closes the socket.
    public func close() {
        rpc.onEventLoop { $0.close() }
    }

    private func handle(_ request: IncomingRequest) {
        let now = Duration.nanoseconds((eventLoop.now - origin).nanoseconds)
        let actions = storing.handle(request, id: rpc.onEventLoop { $0.id }, now: now)
        rpc.onEventLoop { $0.perform(actions, for: request) }
    }
}
