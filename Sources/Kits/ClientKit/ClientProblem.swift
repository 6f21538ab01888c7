package import NetworkingKit

/// The reason for a failure, in the detail that the user needs. The App module chooses the words.
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
    /// True if the service failed while it handled the request. A retry may fail each time.
    var isFault: Bool { get }
}

extension ClientProblem {
    package var isFault: Bool { false }

    /// Returns the result of a delivery attempt that failed with `error`.
    package static func delivery<Receipt>(after error: any Error) -> Outbox<Receipt>.Delivery {
        let problem = Self(error)
        if problem.isFault { return .failed(problem.code) }
        return problem.isTemporary || error is CancellationError ? .notNow(problem.code) : .refused(problem.code)
    }
}
