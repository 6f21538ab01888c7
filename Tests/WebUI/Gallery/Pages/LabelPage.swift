import SwiftUI

/// A symbol with a text.
struct LabelPage: View {
    var body: some View {
        List {
            Section("Styles") {
                Label("Title and icon", systemImage: "bell.fill")
                Label("Title only", systemImage: "bell.fill").labelStyle(.titleOnly)
                Label("Icon only", systemImage: "bell.fill").labelStyle(.iconOnly)
            }
            Section("Looks") {
                Label("Red", systemImage: "heart.fill").foregroundStyle(.red)
                Label("Large", systemImage: "star.fill").font(.title)
                Label("Small", systemImage: "star.fill").font(.caption)
                Label("Two lines, because this text is far too long for a single line", systemImage: "info.circle")
            }
            Section("Made of views") {
                Label {
                    VStack(alignment: .leading) {
                        Text("Title")
                        Text("Subtitle").font(.subheadline).foregroundStyle(.secondary)
                    }
                } icon: {
                    Circle().fill(.orange).frame(width: 24, height: 24)
                }
            }
            Section("In line with text") {
                Text("Every symbol is as tall as the text around it.")
                HStack {
                    Image(systemName: "person.fill")
                    Text("Person")
                    Image(systemName: "gear").foregroundStyle(.secondary)
                }
            }
        }
    }
}
