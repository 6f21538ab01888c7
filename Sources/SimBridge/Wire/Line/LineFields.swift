import WireKit

/// The fields of a message on the line. A field of an unexpected type counts as absent.
struct LineFields {
    private(set) var object: [String: JSONValue]

    init(_ object: [String: JSONValue] = [:]) { self.object = object }

    subscript(key: String) -> JSONValue? {
        get { object[key] }
        set { object[key] = newValue }
    }

    func string(_ key: String) -> String? { if case .string(let text) = object[key] { text } else { nil } }
    func array(_ key: String) -> [JSONValue]? { if case .array(let values) = object[key] { values } else { nil } }
    func int64(_ key: String) -> Int64? { if case .integer(let number) = object[key] { number } else { nil } }
    func integer(_ key: String) -> Int? { int64(key).flatMap(Int.init(exactly:)) }
    func id<Subject>(_ key: String) -> NumericID<Subject>? { int64(key).map { NumericID($0) } }
    func boolean(_ key: String) -> Bool? { if case .bool(let value) = object[key] { value } else { nil } }
    func time(_ key: String) -> RelayTime? { string(key).flatMap { RelayTime($0) } }
    func request(_ key: String) -> RequestID? { string(key).map { RequestID($0) } }

    mutating func set(_ key: String, _ value: String?) { if let value { object[key] = .string(value) } }
    mutating func set(_ key: String, _ value: Int?) { set(key, value.map(Int64.init)) }
    mutating func set(_ key: String, _ value: Int64?) { if let value { object[key] = .integer(value) } }
}
