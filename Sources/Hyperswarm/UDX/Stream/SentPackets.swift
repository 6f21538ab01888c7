import NIOCore

/// A packet that was sent and that the peer has not acknowledged cumulatively.
struct SentPacket: Sendable {
    enum Status: Sendable { case inFlight, lost, delivered }

    var type: PacketType
    var status = Status.inFlight
    var transmissionCount: UInt8 = 1
    var timeoutCount: UInt8 = 0
    /// The size of header and payload, in bytes. Padding does not count.
    var size: Int32
    var payload: ByteBuffer
    var sentAt: NIODeadline
    var snapshot: DeliveryRateSampler.Snapshot
}

/// The sent packets from the oldest unacknowledged one to the newest, as a ring indexed by packet number.
struct SentPackets: Sendable {
    private var ring: [SentPacket?] = []
    private var mask = 0
    private(set) var first: PacketNumber = 0
    /// The number of the next packet to be appended.
    private(set) var next: PacketNumber = 0

    private static let initialCapacity = 8
    /// Maximum capacity of a ring that is kept when it becomes empty.
    private static let retainedCapacity = 256

    var isEmpty: Bool { first == next }
    var count: Int { Int(next - first) }
    var range: Range<PacketNumber> { first..<next }

    @inline(__always)
    func contains(_ number: PacketNumber) -> Bool { number >= first && number < next }

    /// Returns true if packet `number` has been in flight since `sentAt`.
    @inline(__always)
    func isInFlight(_ number: PacketNumber, since sentAt: NIODeadline) -> Bool {
        guard contains(number), let packet = ring[Int(truncatingIfNeeded: number) & mask] else { return false }
        return packet.status == .inFlight && packet.sentAt == sentAt
    }

    /// The packet `number`, which must be in the range.
    subscript(_ number: PacketNumber) -> SentPacket {
        @inline(__always) get { ring[Int(truncatingIfNeeded: number) & mask]! }
        @inline(__always) _modify { yield &ring[Int(truncatingIfNeeded: number) & mask]! }
    }

    mutating func append(_ packet: SentPacket) {
        if count == ring.count { grow() }
        ring[Int(truncatingIfNeeded: next) & mask] = packet
        next += 1
    }

    mutating func removeFirst() {
        ring[Int(truncatingIfNeeded: first) & mask] = nil
        first += 1
        if isEmpty, ring.count > Self.retainedCapacity {
            ring = []
            mask = 0
        }
    }

    /// Drops all packets, keeping the numbers.
    mutating func removeAll() {
        ring = []
        mask = 0
        first = next
    }

    private mutating func grow() {
        let capacity = Swift.max(ring.count * 2, Self.initialCapacity)
        var larger = [SentPacket?](repeating: nil, count: capacity)
        for number in range {
            larger[Int(truncatingIfNeeded: number) & (capacity - 1)] = ring[Int(truncatingIfNeeded: number) & mask]
        }
        ring = larger
        mask = capacity - 1
    }
}
