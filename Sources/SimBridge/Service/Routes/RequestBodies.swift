import HummingbirdCore
package import ServerKit
package import SimBridgeWire
import WireKit

// The decoding of each body and query (`Docs/Protocols/SimBridge.md`, section 2).

extension Credentials: FieldDecodable {
    package init(from fields: inout FieldReader) {
        let username = fields.string("username", length: Account.usernameLength)
        self.init(username: username, password: fields.password("password"))
    }
}

extension PasswordChange: FieldDecodable {
    package init(from fields: inout FieldReader) {
        self.init(password: fields.password("password"), newPassword: fields.password("new_password"))
    }
}

extension AccountDeletion: FieldDecodable {
    package init(from fields: inout FieldReader) {
        if fields["id_token"] != nil {
            self.init(idToken: fields.string("id_token"))
        } else {
            self.init(password: fields.password("password"))
        }
    }
}

extension GoogleSignIn: FieldDecodable {
    package init(from fields: inout FieldReader) {
        self.init(idToken: fields.string("id_token"))
    }
}

extension DeviceRegistration: FieldDecodable {
    package init(from fields: inout FieldReader) throws {
        let name = fields.string("name", length: Device.nameLength)
        let kind = fields.string("type")
        try fields.finish()
        guard let kind = Device.Kind(rawValue: kind) else { throw RelayError(.badRequest, "type must be 'host' or 'client'") }
        self.init(name: name, type: kind)
    }
}

extension PairConfirmation: FieldDecodable {
    package init(from fields: inout FieldReader) {
        self.init(code: fields.string("code"), clientDeviceId: Device.ID(Int64(fields.integer("client_device_id"))))
    }
}

extension TextCommand: FieldDecodable {
    package init(from fields: inout FieldReader) {
        self.init(
            toDeviceId: fields.device("to_device_id"), sim: fields.integer("sim", in: TextCommand.sims),
            to: fields.string("to", length: TextCommand.numberLength), body: fields.string("body", length: TextCommand.bodyLength),
            reqId: fields.request("req_id"))
    }
}

extension CallCommand: FieldDecodable {
    package init(from fields: inout FieldReader) {
        self.init(
            toDeviceId: fields.device("to_device_id"), sim: fields.integer("sim", in: TextCommand.sims),
            to: fields.string("to", length: TextCommand.numberLength), reqId: fields.request("req_id"),
            deadline: fields.time("deadline"), isConfirmed: fields.optionalBoolean("confirmed"))
    }
}

extension FieldReader {
    fileprivate mutating func password(_ field: String) -> String {
        let password = string(field, allowsNull: true)
        if self[field] != nil, !(1...Account.maximumPasswordLength).contains(password.utf8.count) {
            report(field, .invalid, "\(field) must have 1 to \(Account.maximumPasswordLength) bytes")
        }
        return password
    }

    fileprivate mutating func device(_ field: String) -> Device.ID { Device.ID(Int64(integer(field, in: 1...Int.max))) }

    fileprivate mutating func time(_ field: String) -> RelayTime? {
        guard let text = optionalString(field) else { return nil }
        let time = RelayTime(text)
        if time == nil { report(field, .invalid, "\(field) must be an ISO 8601 time") }
        return time
    }

    fileprivate mutating func optionalBoolean(_ field: String) -> Bool? {
        guard let value = self[field] else { return nil }
        if case .bool(let isTrue) = value { return isTrue }
        report(field, .wrongType(expected: "boolean"))
        return nil
    }

    fileprivate mutating func request(_ field: String) -> RequestID? {
        guard let id = optionalString(field).map({ RequestID($0) }) else { return nil }
        if !id.isWellFormed { report(field, .invalid, "\(field) must be a UUID") }
        return id
    }
}

/// A missing or invalid query item.
struct QueryError: Error, Equatable {
    var issue: DetailReply.Issue

    init(_ name: String, _ message: String, type: String) {
        issue = DetailReply.Issue(loc: [.name("query"), .name(name)], msg: message, type: type)
    }
}

extension Request {
    /// Returns an integer query item; nil if it is absent.
    func number(_ name: String, in range: ClosedRange<Int64> = .min ... .max) throws(QueryError) -> Int64? {
        guard let text = query(name) else { return nil }
        guard let value = Int64(text) else { throw QueryError(name, "\(name) must be an integer", type: "int_parsing") }
        guard range.contains(value) else {
            throw QueryError(name, "\(name) must be between \(range.lowerBound) and \(range.upperBound)", type: "out_of_range")
        }
        return value
    }

    func device(_ name: String) throws(QueryError) -> Device.ID {
        guard let value = try number(name) else { throw QueryError(name, "\(name) is required", type: "missing") }
        return Device.ID(value)
    }
}
