/// The hop that a routed message is on. The raw value is the number on the wire.
///
///     client -- fromClient --> relay -- fromRelay --> server
///     client <---- reply ----- relay <- fromServer -- server
///
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.6.
public enum RoutingMode: UInt64, Hashable, Sendable, CaseIterable {
    case fromClient = 0
    case fromServer = 1
    case fromRelay = 2
    /// A second relay forwards to the server. Handshakes only.
    case fromSecondRelay = 3
    case reply = 4
}
