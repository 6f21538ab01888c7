import PlatformKit
import SwiftUI
import TalkCoClient
import TalkCoWire
import ViewKit

/// The learner's own model for the tutor: the field for a Server ID, or the chosen host and its state.
struct ModelCard: View {
    @Bindable var model: TutorModelViewModel
    let phone: Phone
    @State private var cannotPaste = false
    @Environment(\.palette) private var palette
    @Environment(\.wordBundle) private var wordBundle

    var body: some View {
        VStack(alignment: .leading, spacing: 8) {
            CardTitle(title: Text("The tutor’s model", bundle: .module))
            if model.isChosen { ChosenModel(model: model) } else { choice }
            if let problem = model.problem { ProblemText(problem: problem) }
            if model.isSaving { BusyRow(words: String(localized: "Saving…", bundle: wordBundle)) }
        }
        .card()
        .accessibilityGroup("model-card")
        .onChange(of: model.address) { cannotPaste = false }
    }

    @ViewBuilder private var choice: some View {
        Text(
            "Let a model on your own computer be the tutor: enter the Server ID that LocalLLM’s host shows there.", bundle: .module
        )
        .font(.footnote)
        .foregroundStyle(palette.secondary)
        HStack(spacing: 4) {
            TextField("", text: $model.address, prompt: Text("Server ID", bundle: .module))
                .textFieldStyle(.plain)
                .textInputAutocapitalization(.never)
                .autocorrectionDisabled()
                .submitLabel(.done)
                .onSubmit { model.choose() }
                .padding(.leading, 12)
                .frame(minHeight: Metrics.field)
                .fieldTouchArea()
                .accessibilityLabel(Text("Server ID", bundle: .module))
                .accessibilityIdentifier("server-id")
            CommandButton(paste) { Text("Paste", bundle: .module).fixedSize() }
                .buttonStyle(TextButtonStyle())
        }
        .background(palette.background, in: RoundedRectangle(cornerRadius: 12))
        if cannotPaste {
            Text("The clipboard can’t be read here. Paste into the field instead.", bundle: .module)
                .font(.footnote)
                .foregroundStyle(palette.error)
        }
        Button(Text("Use This Model", bundle: .module)) { model.choose() }
            .buttonStyle(TextButtonStyle(alignment: .leading))
            .disabled(!model.canChoose)
            .accessibilityIdentifier("use-model")
    }

    /// Pastes an address. Runs within the tap: browsers allow only gesture handlers to read the clipboard.
    private func paste() async {
        let text = try? await phone.clipboard.paste()
        cannotPaste = text == nil
        if let text { model.address = text }
    }
}

/// The chosen host, its state, and the buttons to retry and remove it.
private struct ChosenModel: View {
    let model: TutorModelViewModel
    @Environment(\.palette) private var palette
    @Environment(\.wordBundle) private var wordBundle

    var body: some View {
        VStack(alignment: .leading, spacing: 4) {
            if let name = model.model?.hostName, !name.isEmpty { Text(verbatim: name).font(.headline).lineLimit(1) }
            state
            if let detail = model.model?.detail { Text(verbatim: detail).font(.footnote).foregroundStyle(palette.secondary) }
            if let id = model.model?.serverId {
                Text(verbatim: id).font(.caption).monospaced().foregroundStyle(palette.secondary)
            }
        }
        .accessibilityGroup("model-state")
        HStack(spacing: 20) {
            if model.state == .failed {
                Button(Text("Try Again", bundle: .module)) { model.tryAgain() }
                    .buttonStyle(TextButtonStyle(alignment: .leading))
                    .accessibilityIdentifier("try-model-again")
            }
            Button(Text("Remove This Model", bundle: .module)) { model.clear() }
                .buttonStyle(TextButtonStyle(alignment: .leading))
                .accessibilityIdentifier("remove-model")
        }
        .disabled(model.isSaving)
    }

    @ViewBuilder private var state: some View {
        switch model.state {
        case .connecting: BusyRow(words: String(localized: "Connecting to your computer…", bundle: wordBundle))
        case .approval:
            Text("Approve \(model.model?.caller ?? "") on the computer with the model.", bundle: .module).font(.subheadline)
        case .ready:
            if let name = model.model?.model {
                Text("Ready: \(name)", bundle: .module).font(.subheadline)
            } else {
                Text("The computer answers, and has no model yet.", bundle: .module).font(.subheadline)
            }
        case .failed: Text("Your model does not answer.", bundle: .module).font(.subheadline).foregroundStyle(palette.error)
        case nil, .some(.none): EmptyView()
        }
    }
}
