/// The reason why a path of the network cannot be used, as `NWPath.UnsatisfiedReason` states it.
package enum NetworkPathReason: Hashable, Sendable {
    case notAvailable, cellularDenied, wifiDenied, localNetworkDenied, vpnInactive, other
}

extension NetworkLink {
    /// Creates the link of a path.
    ///
    /// - Parameter reason: Read for a path that is not satisfied.
    package init(isSatisfied: Bool, usesCellular: Bool, reason: NetworkPathReason) {
        self =
            switch (isSatisfied, reason) {
            case (true, _): usesCellular ? .cellular : .local
            case (false, .localNetworkDenied): .localNetworkDenied
            case (false, .cellularDenied), (false, .wifiDenied): .denied
            case (false, _): .none
            }
    }
}
