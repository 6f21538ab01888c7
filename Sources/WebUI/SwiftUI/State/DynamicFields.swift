@_spi(Reflection) import Swift

/// Where the dynamic properties of a type lie. The one file that looks into types while the program runs.
@MainActor
enum DynamicFields {
    struct Field {
        var offset: Int
        var type: any DynamicProperty.Type
    }

    private static var known: [ObjectIdentifier: [Field]] = [:]

    /// The stored properties of `type` that are dynamic, in order; found once per type.
    static func of(_ type: Any.Type) -> [Field] {
        let identifier = ObjectIdentifier(type)
        if let fields = known[identifier] { return fields }
        var fields: [Field] = []
        _ = _forEachField(of: type, options: []) { _, offset, type, _ in
            if let type = type as? any DynamicProperty.Type { fields.append(Field(offset: offset, type: type)) }
            return true
        }
        known[identifier] = fields
        return fields
    }
}
