import Synchronization

/// The values that a scene keeps across a restart of the program. The page stores them.
package final class SceneStore: Sendable {
    package enum Value: Hashable, Sendable {
        case text(String), integer(Int), number(Double), flag(Bool)
    }

    private struct Contents: ~Copyable {
        var values: [String: Value] = [:]
        var readers: [String: Readers] = [:]
        var version = 0
        var onChange: @Sendable () -> Void = {}
    }
    private let contents = Mutex(Contents())

    /// Maximum count and lengths (in UTF-8 bytes) of stored values. Values beyond these limits last until the program ends.
    private static let maximumCount = 64
    private static let maximumKeyLength = 128
    private static let maximumTextLength = 4096
    private static let maximumLength = 16_384

    package init() {}

    /// A number that increases with every change.
    package var version: Int { contents.withLock { $0.version } }

    /// The values within the limits.
    package var storableValues: [String: Value] { Self.limited(contents.withLock { $0.values }) }

    /// Restores the values of an earlier scene. Call it before any view reads them.
    package func restore(_ values: [String: Value]) { contents.withLock { $0.values = Self.limited(values) } }

    /// Sets the action that is called after each change, on any thread.
    package func onChange(_ action: @escaping @Sendable () -> Void) { contents.withLock { $0.onChange = action } }

    func read(_ key: String) -> Value? {
        let (value, readers) = contents.withLock { contents in
            let readers = contents.readers[key] ?? Readers()
            contents.readers[key] = readers
            return (contents.values[key], readers)
        }
        readers.register()
        return value
    }

    func write(_ value: Value?, for key: String) {
        let (readers, onChange) = contents.withLock { contents -> (Readers?, (@Sendable () -> Void)?) in
            guard contents.values[key] != value else { return (nil, nil) }
            contents.values[key] = value
            contents.version += 1
            return (contents.readers[key], contents.onChange)
        }
        readers?.invalidate()
        onChange?()
    }

    private static func limited(_ values: [String: Value]) -> [String: Value] {
        var room = maximumLength
        var accepted: [String: Value] = [:]
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            var length = 0
            if case .text(let text) = value { length = text.utf8.count }
            let total = key.utf8.count + length
            guard key.utf8.count <= maximumKeyLength, length <= maximumTextLength, total <= room, accepted.count < maximumCount
            else {
                continue
            }
            room -= total
            accepted[key] = value
        }
        return accepted
    }
}
