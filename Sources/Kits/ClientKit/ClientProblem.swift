package import NetworkingKit

/// The reason of a failure, in the detail that the user needs. The App finds the words.
package protocol ClientProblem: Error, Hashable, Sendable {
    /// The phone could not store something.
    static var storage: Self { get }

    /// Classifies any error that the client's calls throw.
    init(_ error: any Error)
    /// Decodes ``code``.
    init(code: String)
    /// The form in which an outbox stores the problem.
    var code: String { get }
    /// True if a later attempt may succeed without any change.
    var isTemporary: Bool { get }
}

extension ClientProblem {
    /// Makes one attempt to deliver an item of the outbox.
    ///
    /// - Parameter call: Called with the item's decoded payload.
    package static func delivery<Content: Decodable, Receipt>(
        of item: OutboxItem, _ call: (Content) async throws -> Receipt
    ) async -> Outbox<Receipt>.Delivery {
        guard let content: Content = item.content() else { return .refused(storage.code) }
        do {
            return .accepted(try await call(content))
        } catch {
            let problem = Self(error)
            return problem.isTemporary || error is CancellationError ? .notNow(problem.code) : .refused(problem.code)
        }
    }
}
