// The part of Network that ApplePlatform uses. Pages: https://developer.apple.com/documentation/network/<type>/<member>
public import Dispatch
public import Foundation

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

/// nwerror
public enum NWError: Error, Sendable {
    case posix(POSIXErrorCode)
}

/// nwendpoint
public enum NWEndpoint: Sendable {
    /// nwendpoint/host
    public enum Host: Sendable {
        case name(String, NWInterface?)
        public init(_ string: String) { self = .name(string, nil) }
    }
    /// nwendpoint/port
    public struct Port: Sendable {
        public init?(rawValue: UInt16) {}
    }
}

/// nwparameters
public final class NWParameters: @unchecked Sendable {
    public class var tcp: NWParameters { fatalError() }
}

/// nwconnection
public final class NWConnection: @unchecked Sendable {
    /// nwconnection/state-swift.enum
    public enum State: Sendable {
        case setup, waiting(NWError), preparing, ready, failed(NWError), cancelled
    }
    public init(host: NWEndpoint.Host, port: NWEndpoint.Port, using: NWParameters) {}
    @preconcurrency public var stateUpdateHandler: (@Sendable (_ state: State) -> Void)?
    public var currentPath: NWPath? { fatalError() }
    public func start(queue: DispatchQueue) {}
    public func cancel() {}
}
