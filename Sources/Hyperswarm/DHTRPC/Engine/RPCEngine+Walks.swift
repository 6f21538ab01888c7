import CompactEncoding

/// Requests of this node, and the walks that send most of them.
extension RPCEngine {
    private mutating func number() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Queues a request; ``drive(now:)`` sends it.
    mutating func submit(
        _ command: RPCCommand, to address: PeerAddress, target: DHTKey?, value: [UInt8]?, token: [UInt8]?, socket: SocketID,
        maximumSends: Int, purpose: Purpose
    ) -> RPCRequestID {
        let request = RPCRequestID(number: number())
        purposes[request] = (purpose, address)
        var message = RPCRequest(transactionID: 0, to: address, token: token, command: command, target: target, value: value)
        message.id = socket == .main ? id : nil
        let entry = RequestTable.Entry(id: request, socket: socket, message: message, bytes: [], maximumSends: max(1, maximumSends))
        if !isRunning || !address.isSendable {
            fail(request, entry: entry, RPCError(isRunning ? .timedOut : .closed, "\(address)"))
        } else if !requests.submit(entry) {
            fail(request, entry: entry, RPCError(.overloaded))
        }
        return request
    }

    private mutating func fail(_ request: RPCRequestID, entry: RequestTable.Entry, _ error: RPCError) {
        guard let known = purposes.removeValue(forKey: request) else { return }
        let address = known.to
        switch known.purpose {
        case .caller:
            actions.append(.requestFinished(request, .failure(error)))
        case .query(let query):
            queries[query]?.requests.remove(request)
            if let referrer = queries[query]?.walk.fail(address), error.code == .timedOut { hint(to: referrer, about: address) }
        case .check:
            checking.remove(address)
        case .eviction(let newcomer):
            checking.remove(address)
            if entry.sends >= 4 {
                table.remove(address)
                _ = table.insert(newcomer, now: entry.due)
            }
        }
        if error.code == .timedOut, entry.sends >= 4 { table.remove(address) }
    }

    /// Reports an address that does not answer to the node that named it.
    private mutating func hint(to referrer: PeerAddress, about address: PeerAddress) {
        guard hintsLeft > 0 else { return }
        hintsLeft -= 1
        let transactionID = UInt16.random(in: 0...UInt16.max, using: &random)
        send(RPCRequest(transactionID: transactionID, to: referrer, command: .downHint, value: address.encoded))
    }

    /// Begins a walk; ``drive(now:)`` sends its requests.
    mutating func begin(
        _ command: RPCCommand, target: DHTKey, value: [UInt8]?, firstNodes: [PeerAddress], maximumSends: Int
    ) -> RPCQueryID {
        let query = RPCQueryID(number: number())
        var firstNodes = firstNodes.isEmpty ? table.closest(to: target) : firstNodes
        if firstNodes.count < RoutingTable.rowCapacity { firstNodes += configuration.bootstrap }
        if case .persistent(let own?) = configuration.role { firstNodes.removeAll { $0 == own } }
        queries[query] = RunningQuery(
            walk: IterativeQuery(target: target, ownID: id, firstNodes: firstNodes), command: command, value: value,
            maximumSends: maximumSends)
        return query
    }

    /// Sends due requests and ends finished walks, until nothing changes.
    mutating func drive(now: Duration) {
        guard isRunning else {
            for (query, running) in queries { finish(query, running) }
            queries = [:]
            return
        }
        var changed = true
        while changed {
            changed = false
            for query in queries.keys.sorted(by: { $0.number < $1.number }) {
                while let address = queries[query]?.walk.next() {
                    guard let running = queries[query] else { break }
                    let request = submit(
                        running.command, to: address, target: running.walk.target, value: running.value, token: nil, socket: .main,
                        maximumSends: running.maximumSends, purpose: .query(query))
                    if purposes[request] != nil { queries[query]?.requests.insert(request) }
                    changed = true
                }
                if let running = queries[query], running.walk.isFinished {
                    queries[query] = nil
                    drop(running)
                    finish(query, running)
                    changed = true
                }
            }
            for outcome in requests.advance(to: now) {
                switch outcome {
                case .send(let entry):
                    actions.append(.send(entry.bytes, to: entry.message.to, from: entry.socket))
                case .slow(let request):
                    guard let known = purposes[request], case .query(let query) = known.purpose else { continue }
                    queries[query]?.walk.noteSlow(known.to)
                    changed = true
                case .failed(let entry):
                    fail(entry.id, entry: entry, RPCError(.timedOut, "\(entry.message.to)"))
                    changed = true
                }
            }
        }
    }

    /// Cancels the open requests of a finished walk.
    mutating func drop(_ running: RunningQuery) {
        for request in running.requests {
            requests.cancel(request)
            purposes[request] = nil
        }
    }

    /// Reports the end of a walk.
    mutating func finish(_ query: RPCQueryID, _ running: RunningQuery) {
        let walk = running.walk
        if running.isBootstrap {
            if !hasBootstrapped || walk.answerCount > 0 { actions.append(.bootstrapped(answerCount: walk.answerCount)) }
            hasBootstrapped = true
        } else {
            actions.append(
                .queryFinished(
                    query, RPCQueryResult(closest: walk.closest, answerCount: walk.answerCount, failureCount: walk.failureCount)))
        }
    }
}
