extension LineProxy {
    /// The direction of bytes: from the client to the target, or back.
    package enum Direction: Hashable, Sendable { case up, down }

    /// The faults that a proxy injects. None by default.
    package struct Faults: Equatable, Sendable {
        /// A fault that occurs at random and lasts for a while.
        package struct Episode: Equatable, Sendable {
            /// The probability of the fault, 0…1.
            package var probability: Double
            /// The range of durations; nil for a fault that never ends.
            package var duration: ClosedRange<Duration>?

            package init(probability: Double, duration: ClosedRange<Duration>? = nil) {
                self.probability = probability
                self.duration = duration
            }
        }

        /// Cuts a connection at both ends after this many bytes in one direction. Drawn per direction of each connection.
        package var cutAfter: ClosedRange<Int>?
        /// The share of cuts that are resets (RST), 0…1; the others are ends (FIN). A reset may overtake bytes already forwarded.
        package var resets = 0.5
        /// The size of the chunks that are forwarded, at least one byte.
        package var chunkSize: ClosedRange<Int>?
        /// The delay of each chunk.
        package var delay: ClosedRange<Duration>?
        /// Pauses one direction before a chunk, also before the end of the connection.
        package var stall: Episode?
        /// The directions that are stalled while they are in this set.
        package var stalled: Set<Direction> = []
        /// Refuses new connections after a cut by ``cutAfter``, like a service that is down.
        package var outage: Episode?

        package init() {}
    }

    /// Counts of events since the start of the proxy.
    package struct Counts: Equatable, Sendable {
        package var connections = 0
        /// Connections cut by the proxy.
        package var cuts = 0
        /// Bytes forwarded from clients to the target.
        package var bytesUp = 0
        /// Bytes forwarded from the target to clients.
        package var bytesDown = 0
        /// The maximum number of bytes ever buffered in one direction of a connection. A reader that stops must not make it grow.
        package var maximumBuffered = 0
    }
}
