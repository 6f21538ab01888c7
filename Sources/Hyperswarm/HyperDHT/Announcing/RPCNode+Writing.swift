import CompactEncoding
import CryptoPrimitives
import DHTRPC
import UDX

extension RPCNode {
    /// Asks a node for a fresh token, then removes a peer's record from it.
    ///
    /// Without `async` functions: the compiler of Swift 6.3 makes release builds crash where `try?` drops a typed error in a task group.
    /// - Parameter completion: Called on the event loop with true if the node confirmed.
    func startRemoval(
        of target: DHTKey, keyPair: KeyPair, at node: PeerAddress, completion: @escaping @Sendable (Bool) -> Void = { _ in }
    ) {
        let command = target.bytes == keyPair.publicKey.target ? Command.findPeer : Command.lookup
        startRequest(command.rpc, to: node, target: target, maximumSends: 2) { result in
            guard case .success(let reply) = result else { return completion(false) }
            self.onEventLoop {
                $0.startWrite(.unannounce, target: target, keyPair: keyPair, to: reply) { completion($0 != nil) }
            }
        }
    }

    /// Sends a signed ANNOUNCE or UNANNOUNCE to the node that sent a reply with its id and a token.
    ///
    /// If the token has expired, retries once with the token of the refusal.
    /// - Parameter completion: Called on the event loop with the node's answer, or with nil if the node did not store the record.
    func startWrite(
        _ kind: AnnounceRequest.Kind, target: DHTKey, keyPair: KeyPair, relayAddresses: [PeerAddress] = [], to reply: RPCReply,
        isRetry: Bool = false, completion: @escaping @Sendable (RPCReply?) -> Void
    ) {
        guard let id = reply.id, let token = reply.token else {
            completion(nil)
            return
        }
        let value = AnnounceRequest(
            kind, keyPair: keyPair, relayAddresses: relayAddresses, target: target.bytes, nodeID: id.bytes, token: token
        ).encoded
        let command = kind == .announce ? Command.announce : Command.unannounce
        startRequest(command.rpc, to: reply.from, target: target, value: value, token: token) { result in
            guard case .success(let answer) = result else {
                completion(nil)
                return
            }
            if answer.error == RPCErrorNumber.invalidToken, !isRetry, answer.token != nil {
                self.onEventLoop { node in
                    node.startWrite(
                        kind, target: target, keyPair: keyPair, relayAddresses: relayAddresses, to: answer, isRetry: true,
                        completion: completion)
                }
            } else {
                completion(answer.error == 0 ? answer : nil)
            }
        }
    }
}
