public import CompactEncoding

/// Requests of other nodes, and responses to requests of this node.
extension RPCEngine {
    /// Processes a datagram. Malformed and unexpected datagrams are dropped without a reply.
    public mutating func receive(_ datagram: [UInt8], from source: PeerAddress, on socket: SocketID = .main, now: Duration) {
        guard isRunning, source.isSendable, let message = RPCMessage(datagram) else { return }
        switch message {
        case .request(let request):
            receive(request, from: source, on: socket, now: now)
        case .response(let response):
            receive(response, from: source, on: socket, now: now)
        }
        drive(now: now)
    }

    private mutating func receive(_ message: RPCRequest, from source: PeerAddress, on socket: SocketID, now: Duration) {
        tokens.advance(to: now, random: &random)
        var request = IncomingRequest(from: source, socket: socket, message: message)
        // A request proves nothing about its source: the node has to answer a ping before it enters the table.
        if message.id == DHTKey(nodeAt: source) { check(source, limit: Self.maximumCheckCount) }
        if let token = message.token {
            guard tokens.isValid(token, for: source) else {
                reply(to: request, error: RPCErrorNumber.invalidToken, includesToken: true, includesCloserNodes: true)
                return
            }
            request.hasValidToken = true
        }
        if message.command.isInternal {
            receiveInternal(request, now: now)
        } else {
            actions.append(.incoming(request))
        }
    }

    private mutating func receiveInternal(_ request: IncomingRequest, now: Duration) {
        switch request.message.command {
        case .ping:
            reply(to: request)
        case .pingNAT:
            var decoder = Decoder(request.message.value ?? [])
            guard let port = try? decoder.readUInt16(), port != 0 else { return }
            var redirected = request
            redirected.from.port = port
            reply(to: redirected)
        case .findNode:
            guard request.message.target != nil else { return }
            reply(to: request, includesCloserNodes: true)
        case .downHint:
            var decoder = Decoder(request.message.value ?? [])
            guard let address = try? decoder.readAddress() else { return }
            if table.contains(address) { ping(address, purpose: .check, limit: Self.maximumHintCheckCount) }
            reply(to: request)
        case .delayedPing:
            var decoder = Decoder(request.message.value ?? [])
            guard let delay = try? decoder.readUInt32(), delay <= Self.maximumDelay, delayed.count < Self.maximumDelayedReplyCount
            else {
                return
            }
            delayed.append(DelayedReply(due: now + .milliseconds(Int64(delay)), request: request))
        default:
            reply(to: request, error: RPCErrorNumber.unknownCommand, includesCloserNodes: true)
        }
    }

    private mutating func receive(_ response: RPCResponse, from source: PeerAddress, on socket: SocketID, now: Duration) {
        guard let entry = requests.answer(response, from: source), let known = purposes.removeValue(forKey: entry.id) else {
            return
        }
        let reply = RPCReply(
            from: source, to: response.to, id: response.id == DHTKey(nodeAt: source) ? response.id : nil, token: response.token,
            closerNodes: response.closerNodes.prefix(RPCResponse.maximumCloserNodeCount).filter { !DroppedNodes.contains($0) },
            error: response.error, value: response.value, roundTrip: now - entry.firstSent, socket: socket)
        if socket == .main, entry.socket == .main, response.to.isSendable {
            sampler.add(response.to, from: source)
            adoptSampledAddress()
        }
        checking.remove(source)
        if reply.id != nil { enter(source, now: now) }
        switch known.purpose {
        case .caller:
            actions.append(.requestFinished(entry.id, .success(reply)))
        case .query(let query):
            queries[query]?.requests.remove(entry.id)
            guard queries[query] != nil else { return }
            queries[query]?.walk.receive(reply)
            actions.append(.queryReply(query, reply))
        case .check, .eviction:
            break
        }
    }
}
