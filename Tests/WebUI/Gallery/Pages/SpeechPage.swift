import PlatformKit
import SwiftUI

/// The microphone and the loudspeaker.
struct SpeechPage: View {
    @Environment(\.phone) private var phone
    @State private var model = SpeechModel()
    @State private var hasMicrophone = "unknown"

    var body: some View {
        SamplePage {
            Sample("The microphone") { microphone }
            Sample("The loudspeaker") { loudspeaker }
        }
        .task { hasMicrophone = await phone?.microphone.isAvailable() == true ? "yes" : "no" }
        .onDisappear {
            model.discard()
            model.stop()
        }
    }

    @ViewBuilder private var microphone: some View {
        ValueRow("Has a microphone", hasMicrophone, identifier: "microphone")
        ValueRow("Recording", model.recordingState, identifier: "recording")
        ProgressView(value: min(model.level, 1)).accessibilityLabel("Level")
        ValueRow("Level now", model.level.formatted(.number.precision(.fractionLength(2))), identifier: "level")
        ValueRow("Length", "\(model.facts.length.formatted(.number.precision(.fractionLength(2)))) s", identifier: "length")
        ValueRow("Loudest", model.facts.level.formatted(.number.precision(.fractionLength(2))), identifier: "loudest")
        ValueRow("Pitch", "\(model.facts.pitch) Hz", identifier: "pitch")
        HStack {
            Button("Record") { Task { await model.record(on: phone) } }
            Button("Finish") { Task { await model.finish() } }
            Button("Discard") { model.discard() }
        }
        .buttonStyle(.bordered)
        Text("Hold to record")
            .frame(maxWidth: .infinity)
            .padding()
            .background(Color.red.opacity(0.15), in: RoundedRectangle(cornerRadius: 12))
            .contentShape(Rectangle())
            .onLongPressGesture(minimumDuration: 600) {
            } onPressingChanged: { isPressing in
                Task { isPressing ? await model.record(on: phone) : await model.finish() }
            }
    }

    @ViewBuilder private var loudspeaker: some View {
        ValueRow("Playback", model.playbackState, identifier: "playback")
        ValueRow("Tenths of a second accepted", "\(model.appendedCount)", identifier: "appended")
        ValueRow("Stopped before the end", "\(model.stoppedCount)", identifier: "stopped")
        HStack {
            Button("Play the recording") { Task { await model.playRecording(on: phone) } }.disabled(!model.canPlay)
            Button("Play a tone") { Task { await model.playTone(on: phone) } }
            Button("Stop") { model.stop() }
        }
        .buttonStyle(.bordered)
    }
}
