/// Identifier of one walk of a node, never reused.
public struct RPCQueryID: Hashable, Sendable {
    let number: UInt64
}

/// Result of a walk towards a target.
public struct RPCQueryResult: Hashable, Sendable {
    /// The closest nodes that answered with a valid id, the nearest first; 20 at most.
    public var closest: [RPCReply]
    /// Count of the nodes that answered without an error.
    public var answerCount: Int
    /// Count of the nodes that did not answer or answered with an error.
    public var failureCount: Int

    public init(closest: [RPCReply], answerCount: Int, failureCount: Int) {
        self.closest = closest
        self.answerCount = answerCount
        self.failureCount = failureCount
    }
}
