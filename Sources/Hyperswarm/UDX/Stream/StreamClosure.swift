/// The reason for the end of a stream.
public enum StreamClosure: Hashable, Sendable {
    /// Both sides sent END and have everything.
    case finished
    /// This side destroyed it.
    case destroyed
    /// The peer destroyed it.
    case reset
    /// The peer did not acknowledge a packet in time.
    case timedOut
    /// The socket or the node was closed.
    case socketClosed
}
