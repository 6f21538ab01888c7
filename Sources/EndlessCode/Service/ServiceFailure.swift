import EndlessCodeWire

/// A refusal that the wire has a code for.
struct ServiceFailure: Error, Equatable {
    var code: ErrorCode
    /// A sentence for developers.
    var message: String

    init(_ code: ErrorCode, _ message: String) { (self.code, self.message) = (code, message) }

    init(_ error: FieldError) { self.init(.invalidMessage, error.description) }

    static func notActive(_ state: Session.State) -> ServiceFailure {
        ServiceFailure(.sessionNotActive, "The session is \(state.rawValue).")
    }

    static let noSession = ServiceFailure(.sessionNotFound, "No such session.")
    static let noProject = ServiceFailure(.projectNotFound, "No such project.")
}
