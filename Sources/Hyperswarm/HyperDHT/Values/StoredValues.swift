import CompactEncoding
import CryptoPrimitives
import DHTRPC

/// The part of a storing node that keeps mutable and immutable values.
///
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.5; the errors as in hyperdht 6.33.0.
struct StoredValues: Sendable {
    private var mutables: ValueStore<MutableRecord>
    private var immutables: ValueStore<[UInt8]>
    private var puts: RateLimiter
    private var unprovedGets: RateLimiter

    init(limits: ValueLimits) {
        mutables = ValueStore(limits: limits)
        immutables = ValueStore(limits: limits)
        puts = RateLimiter(burst: limits.putBurst, ratePerSecond: limits.putsPerSecond)
        unprovedGets = RateLimiter(burst: limits.unprovedBurst, ratePerSecond: limits.unprovedPerSecond)
    }

    var count: Int { mutables.count + immutables.count }

    /// Answers a request for a value.
    mutating func get(
        _ command: Command, _ request: IncomingRequest, target: DHTKey, now: Duration
    ) -> [StoringNode.Action] {
        var value: [UInt8]?
        if command == .immutableGet {
            value = immutables.value(at: target, now: now)
        } else {
            var decoder = Decoder(request.message.value ?? [])
            guard let minimum = try? decoder.readUInt() else { return [] }
            let record = mutables.value(at: target, now: now)
            value = record.flatMap { $0.sequence >= minimum ? $0.encodedReply : nil }
        }
        if value != nil, !request.hasValidToken, !unprovedGets.admit(host(of: request), now: now) { value = nil }
        return [.reply(value: value, includesToken: true, includesCloserNodes: true)]
    }

    /// Stores a value. Requests that are malformed, forged or over a limit get no answer.
    mutating func put(
        _ command: Command, _ request: IncomingRequest, target: DHTKey, now: Duration
    ) -> [StoringNode.Action] {
        guard request.hasValidToken, let bytes = request.message.value else { return [] }
        if command == .immutablePut {
            guard isAcceptable(bytes), DHTKey(hashing: bytes) == target, puts.admit(host(of: request), now: now) else { return [] }
            immutables.insert(bytes, at: target, now: now)
        } else {
            guard let record = try? MutableRecord(decodingPut: bytes), isAcceptable(record.value),
                record.publicKey.target == target.bytes, puts.admit(host(of: request), now: now), record.isValid
            else { return [] }
            if let stored = mutables.value(at: target, now: now) {
                if record.sequence < stored.sequence { return refuse(ValueErrorNumber.sequenceTooLow) }
                if record.sequence == stored.sequence, record.value != stored.value {
                    return refuse(ValueErrorNumber.sequenceReused)
                }
            }
            mutables.insert(record, at: target, now: now)
        }
        return [.reply(value: nil, includesToken: true, includesCloserNodes: true)]
    }

    private func isAcceptable(_ value: [UInt8]) -> Bool {
        !value.isEmpty && value.count <= MutableRecord.maximumValueSize
    }

    private func refuse(_ error: UInt64) -> [StoringNode.Action] {
        [.reply(value: nil, error: error, includesToken: false, includesCloserNodes: true)]
    }

    private func host(of request: IncomingRequest) -> PeerAddress {
        PeerAddress(octets: request.from.octets, port: 0)
    }
}

/// Error numbers of answers to MUTABLE_PUT.
enum ValueErrorNumber {
    /// The node has another value with this sequence number.
    static let sequenceReused: UInt64 = 16
    /// The node has a value with a higher sequence number.
    static let sequenceTooLow: UInt64 = 17
}
