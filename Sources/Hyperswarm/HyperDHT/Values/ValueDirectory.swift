import CompactEncoding
public import CryptoPrimitives
public import DHTRPC
import NIOCore
import UDX

/// The values of the network as a client uses them: small byte strings that the nodes nearest to their targets store.
///
/// An immutable value is found by its hash. A mutable one is found by the public key of its owner, who signs each revision.
/// Values expire after 48 hours unless a client puts them again. Any client can read them.
///
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.5.
public struct ValueDirectory: Sendable {
    let rpc: RPCNode

    public init(rpc: RPCNode) {
        self.rpc = rpc
    }

    // MARK: Immutable values

    /// Finds the value with a hash. `nil` if no node has it.
    ///
    /// - Parameter target: The BLAKE2b-256 hash of the value.
    /// - Throws: ``ValueError`` with code `network`.
    public func immutable(_ target: DHTKey) async throws(ValueError) -> [UInt8]? {
        let finding = Finding<[UInt8]>()
        _ = try await walk(.immutableGet, target) { reply in
            guard let value = reply.value, DHTKey(hashing: value) == target else { return true }
            finding.best = value
            return false
        }
        return finding.best
    }

    /// Stores a value at the up to 20 nearest nodes.
    ///
    /// - Parameter value: 1 to ``MutableRecord/maximumValueSize`` bytes.
    /// - Returns: The hash of the value, and the count of the nodes that stored it.
    /// - Throws: ``ValueError``.
    public func putImmutable(_ value: [UInt8]) async throws(ValueError) -> (target: DHTKey, storedCount: Int) {
        try check(value)
        let target = DHTKey(hashing: value)
        let nodes = try await walk(.immutableGet, target) { _ in true }
        return (target, try await put(.immutablePut, value, target, at: nodes))
    }

    // MARK: Mutable values

    /// Finds the latest revision of the value of a key. `nil` if no node has one.
    ///
    /// - Parameters:
    ///   - minimumSequence: Minimum sequence number of the revision.
    ///   - latest: False to return the first revision found.
    /// - Throws: ``ValueError`` with code `network`.
    public func mutable(
        _ key: PublicKey, minimumSequence: UInt64 = 0, latest: Bool = true
    ) async throws(ValueError) -> MutableRecord? {
        let finding = Finding<MutableRecord>()
        var encoder = Encoder(capacity: 9)
        encoder.writeUInt(minimumSequence)
        _ = try await walk(.mutableGet, DHTKey(hashing: key.bytes), value: encoder.bytes) { reply in
            guard let value = reply.value, let record = try? MutableRecord(decodingReply: value, publicKey: key),
                record.sequence >= minimumSequence, record.sequence > finding.best?.sequence ?? 0 || finding.best == nil,
                record.isValid
            else { return true }
            finding.best = record
            return latest
        }
        return finding.best
    }

    /// Signs a revision and stores it at the up to 20 nearest nodes.
    ///
    /// - Parameters:
    ///   - value: 1 to ``MutableRecord/maximumValueSize`` bytes.
    ///   - sequence: Higher than the sequence number of the revision before. The same revision may be put again, which renews it.
    /// - Returns: Count of the nodes that stored it.
    /// - Throws: ``ValueError``, with `sequenceReused` or `sequenceTooLow` if no node stored it and one has another revision.
    @discardableResult
    public func putMutable(_ value: [UInt8], keyPair: KeyPair, sequence: UInt64) async throws(ValueError) -> Int {
        try check(value)
        return try await put(MutableRecord(keyPair: keyPair, sequence: sequence, value: value))
    }

    /// Stores a revision that its owner signed, such as one that was found, which renews it.
    ///
    /// - Returns: Count of the nodes that stored it.
    /// - Throws: As ``putMutable(_:keyPair:sequence:)``.
    @discardableResult
    public func put(_ record: MutableRecord) async throws(ValueError) -> Int {
        try check(record.value)
        let target = DHTKey(hashing: record.publicKey.bytes)
        let nodes = try await walk(.mutableGet, target, value: [0]) { _ in true }
        return try await put(.mutablePut, record.encodedPut, target, at: nodes)
    }

    // MARK: Requests

    private func check(_ value: [UInt8]) throws(ValueError) {
        guard !value.isEmpty else { throw ValueError(.empty) }
        guard value.count <= MutableRecord.maximumValueSize else {
            throw ValueError(.tooLong, "\(value.count) bytes; at most \(MutableRecord.maximumValueSize)")
        }
    }

    /// Asks the nodes on the way to a target, and returns the replies of the nearest nodes.
    private func walk(
        _ command: Command, _ target: DHTKey, value: [UInt8]? = nil, onReply: @escaping @Sendable (RPCReply) -> Bool
    ) async throws(ValueError) -> [RPCReply] {
        do throws(RPCError) {
            return try await rpc.query(command.rpc, target: target, value: value) { $0.error == 0 ? onReply($0) : true }.closest
        } catch { throw ValueError(.network, error.description) }
    }

    private func put(
        _ command: Command, _ value: [UInt8], _ target: DHTKey, at nodes: [RPCReply]
    ) async throws(ValueError) -> Int {
        let answers = await withTaskGroup(of: UInt64?.self) { group in
            for node in nodes {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        rpc.eventLoop.execute {
                            rpc.onEventLoop { rpc in
                                rpc.startPut(command, value, target: target, to: node) { continuation.resume(returning: $0) }
                            }
                        }
                    }
                }
            }
            return await group.reduce(into: [UInt64?]()) { $0.append($1) }
        }
        let count = answers.count { $0 == 0 }
        guard count == 0 else { return count }
        if answers.contains(ValueErrorNumber.sequenceTooLow) { throw ValueError(.sequenceTooLow) }
        if answers.contains(ValueErrorNumber.sequenceReused) { throw ValueError(.sequenceReused) }
        throw ValueError(.notStored, "\(nodes.count) nodes asked")
    }

    /// The values that a walk found. Written on the event loop while requests run and read after they ended, never at the same time.
    private final class Finding<Value>: @unchecked Sendable {
        var best: Value?
    }
}

extension RPCNode {
    /// Sends a value to a node that sent a reply with its id and a token. If the token has expired, retries once with the token of
    /// the refusal.
    ///
    /// - Parameter completion: Called on the event loop with the error number of the node's answer; `nil` without an answer.
    func startPut(
        _ command: Command, _ value: [UInt8], target: DHTKey, to reply: RPCReply, isRetry: Bool = false,
        completion: @escaping @Sendable (UInt64?) -> Void
    ) {
        guard reply.id != nil, let token = reply.token else { return completion(nil) }
        startRequest(command.rpc, to: reply.from, target: target, value: value, token: token) { result in
            guard case .success(let answer) = result else { return completion(nil) }
            guard answer.error == RPCErrorNumber.invalidToken, !isRetry else { return completion(answer.error) }
            self.onEventLoop {
                $0.startPut(command, value, target: target, to: answer, isRetry: true, completion: completion)
            }
        }
    }
}
