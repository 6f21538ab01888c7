import Configuration
import Foundation

/// Settings by name, from the command line, the environment and a file, in this order.
///
/// A name is written `db.path` here and `DB_PATH` outside. A file has a `NAME=value` on each line; values may stand in quotes, and
/// lines that begin with `#` or `;` are comments. What is wrong is reported with the name that the person used, and what was
/// expected; values are not repeated for secrets.
public struct Settings: Sendable {
    /// The same settings under one or two outside names, the first preferred.
    private var readers: [(reader: ConfigReader, prefix: String)]
    /// Inside names of what the command line said.
    private let options: Set<String>

    /// - Parameters:
    ///   - options: What the command line said, by inside name (`db.path`).
    ///   - environment: Usually the process's own.
    ///   - file: The text of a file, if there is one.
    ///   - known: Outside names that the file may have, so that a misspelt one is noticed.
    /// - Throws: ``StartupError`` for a line of the file that is no `NAME=value`, has an unknown name or one that an earlier line has,
    ///   or a quote that does not end.
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
        readers = [(ConfigReader(providers: providers), "")]
        self.options = Set(options.keys)
    }

    /// The settings of one system: `db.path` is then `PAGER2077_DB_PATH`.
    ///
    /// - Parameter orPlain: Whether plain `DB_PATH` counts too, where the other is not set: in a server of that system alone.
    public func scoped(to system: String, orPlain: Bool = false) -> Settings {
        var scoped = self
        scoped.readers =
            readers.map { ($0.reader.scoped(to: ConfigKey(system)), $0.prefix + system + ".") } + (orPlain ? readers : [])
        return scoped
    }

    /// What a person calls `key`: the option or the outside name that it was set by, such as `--port` or `PAGER2077_DB_PATH`.
    public func name(of key: String) -> String {
        let used = readers.first { value(of: key, in: $0.reader, isSecret: true) != nil } ?? readers[0]
        guard options.contains(used.prefix + key) else { return Self.outside(used.prefix + key) }
        return "--" + key.replacingOccurrences(of: ".", with: "-")
    }

    /// Nil when not set or empty.
    public func string(_ key: String, isSecret: Bool = false) -> String? {
        for (reader, _) in readers {
            if let value = value(of: key, in: reader, isSecret: isSecret) { return value }
        }
        return nil
    }

    private func value(of key: String, in reader: ConfigReader, isSecret: Bool) -> String? {
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
        var lines: [String: Int] = [:]
        // "\r\n" is one Character, and no "\n".
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
            let place = "\(file), line \(index + 1)"
            guard let equals = line.firstIndex(of: "=") else { throw StartupError("\(place): expected NAME=value") }
            let name = line[..<equals].trimmingCharacters(in: .whitespaces)
            guard known.contains(name) else { throw StartupError("\(place): unknown setting \(name)") }
            if let first = lines.updateValue(index + 1, forKey: name) {
                throw StartupError("\(place): \(name) is set in line \(first) already")
            }
            let value = line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces)
            guard let value = unquoted(value) else { throw StartupError("\(place): the quote of \(name) does not end") }
            values[name] = value
        }
        return values
    }

    /// - Returns: nil when it begins with a quote and does not end with one.
    private static func unquoted(_ value: String) -> String? {
        guard let quote = value.first, quote == "\"" || quote == "'" else { return value }
        guard value.count >= 2, value.last == quote else { return nil }
        return String(value.dropFirst().dropLast())
    }
}
