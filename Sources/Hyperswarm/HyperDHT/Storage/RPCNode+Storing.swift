public import DHTRPC

extension RPCNode {
    /// Carries out the actions of a storing node for a request.
    public func perform(_ actions: [StoringNode.Action], for request: IncomingRequest) {
        for action in actions {
            switch action {
            case .reply(let value, let error, let includesToken, let includesCloserNodes):
                reply(
                    to: request, value: value, error: error, includesToken: includesToken, includesCloserNodes: includesCloserNodes)
            case .forward(let message, let socket):
                send(message, from: socket)
            case .respond(let response, let socket):
                send(response, from: socket)
            }
        }
    }
}
