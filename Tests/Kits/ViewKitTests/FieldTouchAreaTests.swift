import Testing
import ViewKit

@testable import SwiftUI

@MainActor
@Suite struct FieldTouchAreaTests {
    private struct Fields: View {
        private enum Kind { case second }
        @State private var text = ""
        @FocusState private var isFirst: Bool
        @FocusState private var kind: Kind?

        var body: some View {
            TextField("plain", text: $text).padding(12).fieldTouchArea()
            TextField("first", text: $text).fieldTouchArea($isFirst)
            SecureField("second", text: $text).fieldTouchArea($kind, equals: .second)
            if isFirst { Text(verbatim: "in the first") }
            if kind == .second { Text(verbatim: "in the second") }
        }
    }

    @Test func touchAroundAFieldFocusesIt() throws {
        let screen = ViewDriver(Fields())
        func areas(_ element: Element) -> [Element] {
            (element.handlers[.tap] == nil ? [] : [element]) + element.pageChildren.flatMap(areas)
        }
        let areas = areas(screen.host.root)
        #expect(areas.count == 3)
        // A screen reader uses the field.
        #expect(screen.visible.allSatisfy { $0.handlers[.tap] == nil })
        for (area, name) in zip(areas, ["plain", "first", "second"]) {
            screen.host.send(.tap, to: area.id)
            #expect(try screen.find(name, .field).attributes[.focused] == .on)
        }
        #expect(screen.has("in the second"))
        try screen.leave("second")
        #expect(!screen.has("in the second") && screen.has("in the first"))
    }
}
