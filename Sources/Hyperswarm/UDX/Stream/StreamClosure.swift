/// The cause of the end of a stream.
public enum StreamClosure: Hashable, Sendable {
    /// Both sides sent END and received everything.
    case finished
    /// This side destroyed the stream.
    case destroyed
    /// The peer destroyed the stream.
    case reset
    /// The peer did not acknowledge a packet in time.
    case timedOut
    /// The socket or the node was closed.
    case socketClosed
}
