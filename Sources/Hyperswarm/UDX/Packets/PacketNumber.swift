/// A packet's sequence number without wraparound: the wire carries the low 32 bits.
///
/// A stream starts at 0. Values below 0 stand for packets from before the start, which only a faulty peer names.
typealias PacketNumber = Int64

extension PacketNumber {
    /// Creates the packet number nearest to `reference` whose low 32 bits are `wire`.
    @inline(__always)
    init(wire: UInt32, near reference: PacketNumber) {
        let difference = Int32(bitPattern: wire &- UInt32(truncatingIfNeeded: reference))
        self = reference &+ PacketNumber(difference)
    }

    /// The low 32 bits, as packets carry them.
    @inline(__always)
    var wire: UInt32 { UInt32(truncatingIfNeeded: self) }
}
