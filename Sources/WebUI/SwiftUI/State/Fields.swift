@_spi(Reflection) import Swift

/// The layout of the stored properties of a type. The only file that uses reflection, once for each type.
///
/// - SeeAlso: `Docs/Decisions/0027-field-offsets-by-spi-reflection.md`
@MainActor
struct Fields {
    struct Dynamic {
        var offset: Int
        var type: any DynamicProperty.Type
    }
    /// The dynamic properties, in order.
    private(set) var dynamic: [Dynamic] = []
    /// The byte ranges of the stored properties, without the padding between them.
    private(set) var bytes: [Range<Int>] = []

    private static var known: [ObjectIdentifier: Fields] = [:]

    static func of(_ type: Any.Type) -> Fields {
        let identifier = ObjectIdentifier(type)
        if let fields = known[identifier] { return fields }
        let fields = Fields(type)
        known[identifier] = fields
        return fields
    }

    private init(_ type: Any.Type) {
        _ = _forEachField(of: type, options: []) { _, offset, type, _ in
            if let type = type as? any DynamicProperty.Type { dynamic.append(Dynamic(offset: offset, type: type)) }
            return true
        }
        addBytes(of: type, at: 0)
    }

    private mutating func addBytes(of type: Any.Type, at start: Int) {
        var parts: [(offset: Int, type: Any.Type, isStruct: Bool)] = []
        let hasFields = _forEachField(of: type, options: []) { _, offset, type, kind in
            parts.append((offset, type, kind == .struct))
            return true
        }
        guard hasFields else { return addBytes(start..<start + Self.size(type)) }
        for part in parts {
            // Fields of some structs of the standard library cannot be listed: then all bytes of the struct count.
            if part.isStruct {
                addBytes(of: part.type, at: start + part.offset)
            } else {
                addBytes(start + part.offset..<start + part.offset + Self.size(part.type))
            }
        }
    }

    private mutating func addBytes(_ range: Range<Int>) {
        if let last = bytes.last, last.upperBound == range.lowerBound {
            bytes[bytes.count - 1] = last.lowerBound..<range.upperBound
        } else if !range.isEmpty {
            bytes.append(range)
        }
    }

    private static func size<Value>(_ type: Value.Type) -> Int { MemoryLayout<Value>.size }
}
