import HyperswarmTestKit
import NIOCore

@testable import UDX

extension StreamState {
    mutating func receive(_ bytes: [UInt8], at now: NIODeadline) {
        bytes.withUnsafeBytes { receive($0, at: now) }
    }

    /// All datagrams that are to be sent now.
    mutating func datagrams(at now: NIODeadline) -> [[UInt8]] {
        transmits(at: now).map(\.bytes)
    }

    /// All datagrams that are to be sent now, and whether they may be fragmented.
    mutating func transmits(at now: NIODeadline) -> [(bytes: [UInt8], allowsFragmentation: Bool)] {
        var result: [(bytes: [UInt8], allowsFragmentation: Bool)] = []
        while let transmit = nextTransmit(at: now) {
            let bytes = Array(transmit.bytes.readableBytesView)
            var offset = 0
            while offset < bytes.count {
                let end = min(offset + transmit.segmentSize, bytes.count)
                result.append((Array(bytes[offset..<end]), transmit.allowsFragmentation))
                offset = end
            }
        }
        return result
    }
}

/// A network in virtual time between two streams.
struct Simulator {
    struct Link {
        var loss = 0.0
        var duplication = 0.0
        /// The share of datagrams that are delayed by up to four times the delay.
        var reordering = 0.0
        /// The time that a datagram travels.
        var delay = TimeAmount.milliseconds(10)
        /// Bytes per second; `nil` for no limit. A datagram that would wait for longer than ``queueTime`` is dropped.
        var rate: Double?
        var queueTime = TimeAmount.milliseconds(50)
        /// IP packets above this size vanish.
        var mtu = 1500
        /// The number of first transmissions that are lost, by the packet's sequence number.
        var drops: [UInt32: Int] = [:]
    }

    private struct Arrival {
        var side: Int
        var bytes: [UInt8]
    }

    var now = NIODeadline.uptimeNanoseconds(1_000_000_000)
    var streams: [StreamState]
    var links: [Link]
    var random: SplitMix64
    /// The bytes that each side received.
    var received: [[UInt8]] = [[], []]
    var ended = [false, false]
    /// Bytes that each application still writes, as fast as the stream takes them, with an end after the last one.
    var unwritten: [ArraySlice<UInt8>] = [[], []]
    /// Sides whose application does not read.
    var paused: Set<Int> = []
    /// The most bytes that each side held at any time.
    var maximumRetained = [0, 0]
    var datagramCounts = [0, 0]
    var largestDatagram = 0
    private var arrivals = EventQueue<NIODeadline, Arrival>()
    private var freeAt = [NIODeadline.uptimeNanoseconds(0), .uptimeNanoseconds(0)]

    init(links: [Link], random: UInt64 = 1, configuration: StreamConfiguration = StreamConfiguration()) {
        streams = [StreamState(configuration: configuration), StreamState(configuration: configuration)]
        self.links = links
        self.random = SplitMix64(random)
        streams[0].connect(remoteID: 1, at: now)
        streams[1].connect(remoteID: 0, at: now)
    }

    mutating func flush(_ side: Int) {
        while !unwritten[side].isEmpty, streams[side].unsentBytes < streams[side].configuration.writeHighWaterMark {
            streams[side].write(ByteBuffer(bytes: unwritten[side].prefix(65_536)))
            unwritten[side] = unwritten[side].dropFirst(65_536)
            if unwritten[side].isEmpty { streams[side].finish() }
        }
        if !paused.contains(side) {
            if streams[side].readableBytes > 0 { received[side] += Array(streams[side].read().readableBytesView) }
            if streams[side].isReceiveComplete { ended[side] = true }
        }
        for datagram in streams[side].transmits(at: now) {
            transmit(datagram.bytes, allowsFragmentation: datagram.allowsFragmentation, from: side)
        }
        maximumRetained[side] = max(maximumRetained[side], streams[side].retainedBytes)
    }

    private mutating func transmit(_ bytes: [UInt8], allowsFragmentation: Bool, from side: Int) {
        let link = links[side]
        datagramCounts[side] += 1
        largestDatagram = max(largestDatagram, bytes.count)
        guard bytes.count + 28 <= link.mtu || allowsFragmentation else { return }
        if let header = bytes.withUnsafeBytes({ PacketHeader($0) }), header.type.contains(.data),
            let drops = link.drops[header.sequence], drops > 0
        {
            links[side].drops[header.sequence] = drops - 1
            return
        }
        var departure = now
        if let rate = link.rate {
            departure = max(now, freeAt[side])
            guard departure - now <= link.queueTime else { return }
            departure = departure + .nanoseconds(Int64(Double(bytes.count + 28) * 1e9 / rate))
            freeAt[side] = departure
        }
        for _ in 0..<(random.isTrue(probability: link.duplication) ? 2 : 1) {
            guard !random.isTrue(probability: link.loss) else { continue }
            var arrival = departure + link.delay
            if random.isTrue(probability: link.reordering) {
                arrival = arrival + .nanoseconds(Int64.random(in: 0...(4 * max(link.delay.nanoseconds, 1000)), using: &random))
            }
            arrivals.insert(Arrival(side: 1 - side, bytes: bytes), at: arrival)
        }
    }

    /// Runs until `condition` or until nothing happens any more or `limit` of virtual time is over.
    mutating func run(for limit: TimeAmount, until condition: (Simulator) -> Bool = { _ in false }) {
        let end = now + limit
        flush(0)
        flush(1)
        while !condition(self) {
            var deadlines = streams.filter { !$0.isGone(at: now) }.compactMap(\.deadline)
            if let time = arrivals.nextTime { deadlines.append(time) }
            guard let next = deadlines.min(), next <= end else {
                now = end
                return
            }
            now = max(now, next)
            if let time = arrivals.nextTime, time <= now, let arrival = arrivals.removeFirst()?.event {
                streams[arrival.side].receive(arrival.bytes, at: now)
                flush(arrival.side)
            }
            for side in 0...1 where streams[side].deadline.map({ $0 <= now }) ?? false {
                guard !streams[side].isGone(at: now) else { continue }
                streams[side].handleTimer(at: now)
                flush(side)
            }
            if streams.allSatisfy({ $0.isGone(at: now) }) { return }
        }
    }
}
