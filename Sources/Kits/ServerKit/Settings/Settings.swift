import Configuration
import Foundation

/// Settings by name, from the command line, the environment and a file, in this order of precedence.
///
/// A key is written `db.path` here and `DB_PATH` outside. A file contains one `NAME=value` per line; values may be quoted, and lines that
/// begin with `#` or `;` are comments. Errors name the setting as the operator wrote it and the expected value; the values of secrets are
/// never shown.
package struct Settings: Sendable {
    /// The readers and their key prefixes, in order of precedence.
    private var readers: [(reader: ConfigReader, prefix: String)]
    /// The keys that the command line set.
    private let options: Set<String>

    /// - Parameters:
    ///   - options: The command-line options by key (`db.path`).
    ///   - environment: Environment variables, usually the process's own.
    ///   - file: The name and the contents of a settings file.
    ///   - known: The outside names that are valid in the file, to detect misspelt ones.
    /// - Throws: ``StartupError`` for a line of the file that is not `NAME=value`, repeats a name, has an unknown name or an unterminated
    ///   quote.
    package init(
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

    /// Returns the settings of one system: `db.path` then means `PAGER2077_DB_PATH`.
    ///
    /// - Parameter orPlain: True to fall back to the plain `DB_PATH`, for a server of that system alone.
    package func scoped(to system: String, orPlain: Bool = false) -> Settings {
        var scoped = self
        scoped.readers =
            readers.map { ($0.reader.scoped(to: ConfigKey(system)), $0.prefix + system + ".") } + (orPlain ? readers : [])
        return scoped
    }

    /// Returns the operator's name for `key`: the option or the variable that set it, such as `--port` or `PAGER2077_DB_PATH`.
    package func name(of key: String) -> String {
        let used = readers.first { value(of: key, in: $0.reader, isSecret: true) != nil } ?? readers[0]
        guard options.contains(used.prefix + key) else { return Self.outside(used.prefix + key) }
        return "--" + key.replacingOccurrences(of: ".", with: "-")
    }

    /// Returns the value of a setting; nil when unset or empty.
    package func string(_ key: String, isSecret: Bool = false) -> String? {
        for (reader, _) in readers {
            if let value = value(of: key, in: reader, isSecret: isSecret) { return value }
        }
        return nil
    }

    private func value(of key: String, in reader: ConfigReader, isSecret: Bool) -> String? {
        reader.string(forKey: ConfigKey(key), isSecret: isSecret).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// - Throws: ``StartupError`` when the value is not an integer in `range`.
    package func integer(_ key: String, in range: ClosedRange<Int>, default standard: Int) throws(StartupError) -> Int {
        guard let text = string(key) else { return standard }
        guard let value = Int(text), range.contains(value) else {
            throw StartupError(
                "\(name(of: key)) is \"\(text)\"; expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// - Throws: ``StartupError`` when the value is not one of the cases.
    package func choice<Value: RawRepresentable & CaseIterable>(
        _ key: String, default standard: Value
    ) throws(StartupError) -> Value
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
        // Swift treats "\r\n" as one Character, which is not "\n".
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
            let location = "\(file), line \(index + 1)"
            guard let equals = line.firstIndex(of: "=") else { throw StartupError("\(location): expected NAME=value") }
            let name = line[..<equals].trimmingCharacters(in: .whitespaces)
            guard known.contains(name) else { throw StartupError("\(location): unknown setting \(name)") }
            if let first = lines.updateValue(index + 1, forKey: name) {
                throw StartupError("\(location): \(name) is already set on line \(first)")
            }
            let value = line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces)
            guard let value = unquoted(value) else { throw StartupError("\(location): the value of \(name) has no closing quote") }
            values[name] = value
        }
        return values
    }

    /// - Returns: nil when the value has an opening quote without a closing one.
    private static func unquoted(_ value: String) -> String? {
        guard let quote = value.first, quote == "\"" || quote == "'" else { return value }
        guard value.count >= 2, value.last == quote else { return nil }
        return String(value.dropFirst().dropLast())
    }
}
