#if os(iOS)
    import Dispatch
    import Network
    import PlatformKit

    struct DeviceNetworkPath: PlatformKit.NetworkPath {
        func links() -> AsyncStream<NetworkLink> {
            AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
                let monitor = NWPathMonitor()
                // The first call reports the current path.
                monitor.pathUpdateHandler = { continuation.yield(NetworkLink($0)) }
                continuation.onTermination = { _ in monitor.cancel() }
                monitor.start(queue: .main)
            }
        }
    }

    extension NetworkLink {
        fileprivate init(_ path: NWPath) {
            let reason: NetworkPathReason =
                switch path.unsatisfiedReason {
                case .notAvailable: .notAvailable
                case .cellularDenied: .cellularDenied
                case .wifiDenied: .wifiDenied
                case .localNetworkDenied: .localNetworkDenied
                default: .other
                }
            self.init(isSatisfied: path.status == .satisfied, usesCellular: path.usesInterfaceType(.cellular), reason: reason)
        }
    }
#endif
