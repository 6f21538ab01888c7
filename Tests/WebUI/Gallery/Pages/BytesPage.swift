import SwiftUI

/// Binary streams to the page and back: a reliable one and a live one.
struct BytesPage: View {
    @Environment(\.pageStreams) private var streams
    @State private var file = EchoModel.file()
    @State private var sound = EchoModel.sound()

    var body: some View {
        SamplePage {
            Sample("A file of 2 MiB") { Echo(model: file, name: "file", action: "Send the file") }
            Sample("Sound of 4 seconds") { Echo(model: sound, name: "sound", action: "Send the sound") }
        }
        .task(id: file.runs) { await file.run(over: streams) }
        .task(id: sound.runs) { await sound.run(over: streams) }
    }
}

private struct Echo: View {
    let model: EchoModel
    let name: String
    let action: String

    var body: some View {
        ValueRow("State", model.state.rawValue, identifier: "\(name)-state")
        ValueRow("Came back", "\(model.receivedCount)", identifier: "\(name)-received")
        ValueRow("Missing", "\(model.missingCount)", identifier: "\(name)-missing")
        ValueRow("Changed", "\(model.changedCount)", identifier: "\(name)-changed")
        Button(action) { model.start() }.buttonStyle(.bordered)
    }
}
