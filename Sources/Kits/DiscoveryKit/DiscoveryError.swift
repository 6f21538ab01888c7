import Foundation

/// The failure of an announcement or a search.
package struct DiscoveryError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        /// The system's discovery service does not run or has ended.
        case unavailable
        /// The system or the user does not allow discovery: on an iPhone, the local network permission is missing, or the type is
        /// not in the app's `NSBonjourServices`.
        case denied
        /// A name, type, port or attribute that DNS-SD does not allow.
        case invalid
        /// The name is in use on this machine.
        case nameConflict
        /// More replies arrived than the buffer holds.
        case overflow
        case failed
    }

    package var code: Code
    /// A description for the log or the terminal, with the remedy where there is one.
    package var detail: String

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String { detail }

    #if os(Linux)
        /// The daemon that searches and announces.
        static let daemon = "avahi-daemon"

        /// True if this machine has the daemon, whether it runs or not.
        static var isDaemonInstalled: Bool {
            ["/usr/sbin", "/usr/bin", "/sbin", "/usr/local/sbin"].contains {
                FileManager.default.isExecutableFile(atPath: "\($0)/\(daemon)")
            }
        }
    #endif

    /// Maps an error of the DNS-SD library, one of `kDNSServiceErr_…`.
    init(library code: Int32) {
        switch code {
        // Unknown, the only code that Avahi's library reports; ServiceNotRunning; DefunctConnection.
        case -65_537, -65_563, -65_569:
            #if os(Linux)
                self.init(
                    .unavailable,
                    Self.isDaemonInstalled
                        ? "Service discovery is not available: avahi-daemon is installed but does not run; start it, as with 'systemctl start avahi-daemon'"
                        : "Service discovery is not available: install the package avahi-daemon")
            #else
                self.init(.unavailable, "Service discovery is not available: the system's mDNSResponder does not answer")
            #endif
        // Refused, NoAuth, PolicyDenied.
        case -65_553, -65_555, -65_570: self.init(.denied, "Service discovery is not allowed (\(code))")
        // BadParam, Invalid, Unsupported.
        case -65_540, -65_549, -65_544: self.init(.invalid, "The name or the type of a service is not valid (\(code))")
        // AlreadyRegistered, NameConflict.
        case -65_547, -65_548: self.init(.nameConflict, "Another service of this machine has the name")
        default: self.init(.failed, "Service discovery failed (\(code))")
        }
    }
}
