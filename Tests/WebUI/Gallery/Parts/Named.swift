import SwiftUI

/// A value with a name: a colour, a font, a style.
nonisolated struct Named<Value>: Identifiable {
    let name: String
    let value: Value
    var id: String { name }

    init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }
}
