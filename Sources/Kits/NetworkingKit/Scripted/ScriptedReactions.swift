import WireKit

/// The events of a scripted service after its replies: an answer to a message, the stages of a call. Runs while a socket is open.
package final class ScriptedReactions: Sendable {
    package typealias Reaction = @Sendable () async -> Void
    private let added = Locked<AsyncStream<Reaction>.Continuation?>(nil)

    package init() {}

    /// Begins a reaction. Has no effect while no socket is open.
    package func add(_ reaction: @escaping Reaction) { added.withLock { $0 }?.yield(reaction) }

    /// Runs the reactions that are added until the calling task is cancelled.
    package func run() async {
        let (reactions, continuation) = AsyncStream.makeStream(of: Reaction.self)
        added.withLock { $0 = continuation }
        await withDiscardingTaskGroup { group in
            for await reaction in reactions { group.addTask { await reaction() } }
            group.cancelAll()
        }
    }
}
