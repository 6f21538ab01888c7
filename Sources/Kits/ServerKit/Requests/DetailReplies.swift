package import Hummingbird
package import WireKit

// Replies to invalid requests in the form `{"detail": …}` of FastAPI, which several contracts use.
extension Response {
    /// Returns a 422 reply with the validation errors.
    package static func detail(_ issues: [DetailReply.Issue]) throws -> Response {
        try .json(DetailReply(issues), status: .unprocessableContent)
    }

    /// Returns a 422 reply with the validation errors.
    package static func detail(_ errors: FieldErrors) throws -> Response { try detail(errors.issues.map(\.asIssue)) }

    /// Returns a 413 reply for a body that is too large, a 422 reply for one that is not a JSON object.
    package static func detail(_ error: BodyError) throws -> Response {
        switch error {
        case .tooLarge(let limit): try .json(DetailReply("The body is larger than \(limit) bytes"), status: .contentTooLarge)
        case .malformed(let reason): try detail([.init(loc: [.name("body"), .index(0)], msg: reason, type: "json_invalid")])
        case .notAnObject:
            try detail([.init(loc: [.name("body")], msg: "The body is not a JSON object", type: "model_attributes_type")])
        }
    }
}

extension FieldIssue {
    fileprivate var asIssue: DetailReply.Issue {
        let type =
            switch kind {
            case .missing: "missing"
            case .wrongType(let expected): expected == "integer" ? "int_type" : "\(expected)_type"
            case .wrongLength: "string_length"
            case .outOfRange: "out_of_range"
            case .containsNull, .invalid: "value_error"
            }
        return .init(loc: [.name("body"), .name(field)], msg: message, type: type)
    }
}
