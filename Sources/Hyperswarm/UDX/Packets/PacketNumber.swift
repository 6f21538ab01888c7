/// A packet's sequence number without wraparound: the wire carries the low 32 bits.
///
/// A stream starts at 0. Values below 0 stand for packets from before the start, which only a confused peer names.
typealias PacketNumber = Int64

extension PacketNumber {
    /// The packet number nearest to `reference` whose low 32 bits are `wire`.
    @inline(__always)
    init(wire: UInt32, near reference: PacketNumber) {
        let difference = Int32(bitPattern: wire &- UInt32(truncatingIfNeeded: reference))
        self = reference &+ PacketNumber(difference)
    }

    /// The 32 bits that travel.
    @inline(__always)
    var wire: UInt32 { UInt32(truncatingIfNeeded: self) }
}
