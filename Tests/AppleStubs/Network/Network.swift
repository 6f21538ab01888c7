// The part of Network that ApplePlatform uses. Pages: https://developer.apple.com/documentation/network/<type>/<member>
public import Dispatch

/// nwinterface
public struct NWInterface: Sendable {
    /// nwinterface/interfacetype
    public enum InterfaceType: Sendable {
        case other, wifi, cellular, wiredEthernet, loopback
    }
}

/// nwpath
public struct NWPath: Sendable {
    /// nwpath/status-swift.enum
    public enum Status: Sendable {
        case satisfied, unsatisfied, requiresConnection
    }

    /// nwpath/unsatisfiedreason-swift.enum
    public enum UnsatisfiedReason: Sendable {
        case notAvailable, cellularDenied, wifiDenied, localNetworkDenied
        @available(iOS 17.0, *)
        case vpnInactive
    }

    public let status: Status
    /// nwpath/unsatisfiedreason-swift.property
    public let unsatisfiedReason: UnsatisfiedReason
    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool { fatalError() }
}

/// nwpathmonitor
// Sendable from iOS 17 on.
public final class NWPathMonitor: @unchecked Sendable {
    public init() {}
    @preconcurrency public var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)?
    public func start(queue: DispatchQueue) {}
    public func cancel() {}
}
