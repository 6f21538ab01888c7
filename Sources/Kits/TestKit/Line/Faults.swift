extension LineProxy {
    /// Which way bytes go: from the client to the target, or back.
    package enum Direction: Hashable, Sendable { case up, down }

    /// What the proxy does to connections. Nothing, unless told.
    package struct Faults: Equatable, Sendable {
        /// Something that happens now and then, for a while.
        package struct Spell: Equatable, Sendable {
            /// How often it begins, 0…1.
            package var chance: Double
            /// Nil: it does not end.
            package var length: ClosedRange<Duration>?

            package init(chance: Double, length: ClosedRange<Duration>? = nil) {
                self.chance = chance
                self.length = length
            }
        }

        /// A connection is cut at both ends when this many bytes have gone one way. Drawn for each way of a connection.
        package var cutAfter: ClosedRange<Int>?
        /// How many cuts are resets (RST), 0…1; the others are ends (FIN). A reset may overtake bytes that were passed on.
        package var resets = 0.5
        /// Bytes that are passed on at a time, at least one.
        package var piece: ClosedRange<Int>?
        /// How long each piece waits.
        package var delay: ClosedRange<Duration>?
        /// Before a piece, one way stands still, ends of the connection included.
        package var stall: Spell?
        /// Ways that stand still until they are taken out of here.
        package var stalled: Set<Direction> = []
        /// After a cut by ``cutAfter``, connections are refused, as by a service that is down.
        package var outage: Spell?

        package init() {}
    }

    /// What has happened so far.
    package struct Counts: Equatable, Sendable {
        package var connections = 0
        /// Connections that the proxy has cut.
        package var cuts = 0
        /// Passed on, from clients to the target.
        package var bytesUp = 0
        /// Passed on, from the target to clients.
        package var bytesDown = 0
        /// The most bytes that one way of a connection ever held. A reader that stops must not make it grow.
        package var mostHeld = 0
    }
}
