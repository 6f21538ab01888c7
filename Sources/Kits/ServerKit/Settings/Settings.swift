import Configuration
import Foundation

/// Settings by name, from the command line, the environment and a file, in this order.
///
/// A name is written `db.path` here and `DB_PATH` outside. A file has a `NAME=value` on each line and `#` comments, the form
/// of systemd's `EnvironmentFile`. What is wrong is reported with the outside name and what was expected; values themselves are not
/// repeated for secrets.
public struct Settings: Sendable {
    private let reader: ConfigReader
    private let prefix: String

    /// - Parameters:
    ///   - options: What the command line said, by inside name (`db.path`).
    ///   - environment: Usually the process's own.
    ///   - file: The text of a file, if there is one.
    ///   - known: Outside names that the file may have, so that a misspelt one is noticed.
    /// - Throws: ``StartupError`` for a line of the file that is no `NAME=value` or has an unknown name.
    public init(
        options: [String: String] = [:], environment: [String: String] = [:], file: (name: String, text: String)? = nil,
        known: Set<String> = []
    ) throws(StartupError) {
        var providers: [any ConfigProvider] = [
            EnvironmentVariablesProvider(
                environmentVariables: Dictionary(uniqueKeysWithValues: options.map { (Self.outside($0), $1) })),
            EnvironmentVariablesProvider(environmentVariables: environment),
        ]
        if let file {
            providers.append(
                EnvironmentVariablesProvider(environmentVariables: try Self.parse(file.text, named: file.name, known: known)))
        }
        reader = ConfigReader(providers: providers)
        prefix = ""
    }

    private init(reader: ConfigReader, prefix: String) {
        self.reader = reader
        self.prefix = prefix
    }

    /// The settings of one system in a server of several: `db.path` is then `PAGER2077_DB_PATH`.
    public func scoped(to system: String) -> Settings {
        Settings(reader: reader.scoped(to: ConfigKey(system)), prefix: prefix + system + ".")
    }

    /// The name a person writes for `key`, such as `PAGER2077_DB_PATH`.
    public func name(of key: String) -> String { Self.outside(prefix + key) }

    /// Nil when not set or empty.
    public func string(_ key: String, isSecret: Bool = false) -> String? {
        reader.string(forKey: ConfigKey(key), isSecret: isSecret).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// - Throws: ``StartupError`` when the value is not a whole number in `range`.
    public func integer(_ key: String, in range: ClosedRange<Int>, default standard: Int) throws(StartupError) -> Int {
        guard let text = string(key) else { return standard }
        guard let value = Int(text), range.contains(value) else {
            throw StartupError(
                "\(name(of: key)) is \"\(text)\"; expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// One of a fixed set of words.
    public func choice<Value: RawRepresentable & CaseIterable>(_ key: String, default standard: Value) throws(StartupError) -> Value
    where Value.RawValue == String {
        guard let text = string(key) else { return standard }
        guard let value = Value(rawValue: text) else {
            throw StartupError(
                "\(name(of: key)) is \"\(text)\"; expected one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return value
    }

    private static func outside(_ key: String) -> String {
        key.replacingOccurrences(of: ".", with: "_").uppercased()
    }

    private static func parse(_ text: String, named file: String, known: Set<String>) throws(StartupError) -> [String: String] {
        var values: [String: String] = [:]
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.isEmpty || line.hasPrefix("#") { continue }
            let place = "\(file), line \(index + 1)"
            guard let equals = line.firstIndex(of: "=") else { throw StartupError("\(place): expected NAME=value") }
            let name = line[..<equals].trimmingCharacters(in: .whitespaces)
            guard known.contains(name) else { throw StartupError("\(place): unknown setting \(name)") }
            values[name] = line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces)
        }
        return values
    }
}
