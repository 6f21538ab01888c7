import CompactEncoding
import CryptoPrimitives
import DHTRPC
import UDX

extension RPCNode {
    /// Sends a signed ANNOUNCE or UNANNOUNCE to the node that sent a reply with its id and a token.
    ///
    /// A token that expired meanwhile is replaced once by the one of the refusal.
    /// - Parameter completion: Called on the event loop with the node's answer, or with nil where the node did not store.
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
