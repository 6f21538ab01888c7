import SwiftUI

/// The focus of fields, and moving it.
struct FocusPage: View {
    nonisolated private enum Field: String, CaseIterable {
        case given = "Given name"
        case family = "Family name"
        case town = "Town"
    }
    @State private var given = ""
    @State private var family = ""
    @State private var town = ""
    @FocusState private var field: Field?

    var body: some View {
        Form {
            Section {
                TextField("Given name", text: $given)
                    .focused($field, equals: .given)
                    .submitLabel(.next)
                TextField("Family name", text: $family)
                    .focused($field, equals: .family)
                    .submitLabel(.next)
                TextField("Town", text: $town)
                    .focused($field, equals: .town)
                    .submitLabel(.done)
            } footer: {
                Text("Return leads to the next field.")
            }
            .onSubmit { move(by: 1) }
            Section {
                ValueRow("Focused", field?.rawValue ?? "none", identifier: "focused")
                Button("Next") { move(by: 1) }
                Button("Previous") { move(by: -1) }
                Button("None") { field = nil }
            }
        }
    }

    private func move(by step: Int) {
        let all = Field.allCases
        guard let current = field.flatMap({ all.firstIndex(of: $0) }) else {
            field = step > 0 ? all.first : all.last
            return
        }
        field = all.indices.contains(current + step) ? all[current + step] : nil
    }
}
