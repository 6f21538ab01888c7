import SwiftUI

/// Pickers in each style.
struct PickerPage: View {
    @State private var size = 2
    @State private var fruit = "apple"
    @State private var side = "left"

    var body: some View {
        Form {
            Section {
                Picker("Size", selection: $size) {
                    Text("Small").tag(1)
                    Text("Medium").tag(2)
                    Text("Large").tag(3)
                }
                .pickerStyle(.segmented)
                ValueRow("Size", String(size), identifier: "size")
            }
            Section {
                Picker("Fruit", selection: $fruit) {
                    ForEach(["apple", "pear", "plum"], id: \.self) { Text($0).tag($0) }
                }
                ValueRow("Fruit", fruit, identifier: "fruit")
            }
            Section {
                Picker("Side", selection: $side) {
                    Label("Left", systemImage: "arrow.left").tag("left")
                    Label("Right", systemImage: "arrow.right").tag("right")
                }
                .pickerStyle(.inline)
            }
            Section {
                HStack {
                    Picker("Alone", selection: $side) {
                        Text("Left").tag("left")
                        Text("Right").tag("right")
                    }
                    .labelsHidden()
                    Spacer()
                }
                ValueRow("Side", side, identifier: "side")
            }
        }
    }
}
