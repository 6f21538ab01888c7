/// The kind of address translation and filtering in front of a peer. The raw value is the number on the wire.
public enum Firewall: UInt64, Hashable, Sendable, CaseIterable {
    /// Not known yet, or behind a filter of an unknown kind.
    case unknown = 0
    /// Reachable directly from anywhere.
    case open = 1
    /// One socket appears under the same address to every destination.
    case consistent = 2
    /// One socket appears under a different port to each destination.
    case random = 3

    /// Reads a number of the wire; numbers that are not assigned count as ``unknown``.
    init(wire value: UInt64) {
        self = Firewall(rawValue: value) ?? .unknown
    }
}
