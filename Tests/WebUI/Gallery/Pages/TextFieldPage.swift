import SwiftUI

/// Styles, keyboards, a filter, focus, submission.
struct TextFieldPage: View {
    @State private var plain = ""
    @State private var rounded = ""
    @State private var lines = ""
    @State private var secret = ""
    @FocusState private var isPlainFocused: Bool

    var body: some View {
        Form {
            Section("Looks") {
                TextField("Plain", text: $plain).focused($isPlainFocused)
                TextField("Rounded", text: $rounded).textFieldStyle(.roundedBorder)
                TextField("Multi-line", text: $lines, axis: .vertical).lineLimit(2...5)
                SecureField("Secure", text: $secret)
                TextField("Disabled", text: .constant("Cannot be changed")).disabled(true)
            }
            Section("What was typed") {
                ValueRow("Plain", plain, identifier: "plain")
                ValueRow("Multi-line", lines, identifier: "lines")
                ValueRow("Secure, letters", "\(secret.count)", identifier: "secret")
            }
            Section("Focus") {
                Button("Focus the plain field") { isPlainFocused = true }
                Button("End editing") { isPlainFocused = false }
                Button("Clear the plain field") { plain = "" }
                ValueRow("Focused", isPlainFocused ? "yes" : "no", identifier: "focused")
            }
            FilteredField()
            SubmittedField()
            KeyboardFields()
        }
    }
}

/// A field that rejects digits.
private struct FilteredField: View {
    @State private var letters = ""

    var body: some View {
        Section("Filter") {
            TextField("No digits", text: $letters)
                .onChange(of: letters) { letters.removeAll(where: \.isNumber) }
            ValueRow("Kept", letters, identifier: "letters")
        }
    }
}

/// A field that reports its submission.
private struct SubmittedField: View {
    @State private var query = ""
    @State private var submitted = "nothing"

    var body: some View {
        Section("Submission") {
            TextField("Search", text: $query)
                .submitLabel(.search)
                .onSubmit {
                    submitted = query
                    query = ""
                }
            ValueRow("Submitted", submitted, identifier: "submitted")
        }
    }
}

/// A field for each keyboard.
private struct KeyboardFields: View {
    @State private var texts = Array(repeating: "", count: 6)
    private let keyboards: [Named<UIKeyboardType>] = [
        Named("Number", .numberPad), Named("Decimal", .decimalPad), Named("Telephone", .phonePad), Named("Mail", .emailAddress),
        Named("Web address", .URL), Named("ASCII", .asciiCapable),
    ]

    var body: some View {
        Section("Keyboards") {
            ForEach(keyboards.indices, id: \.self) { index in
                TextField(keyboards[index].name, text: $texts[index])
                    .keyboardType(keyboards[index].value)
                    .textInputAutocapitalization(.never)
                    .autocorrectionDisabled()
            }
        }
    }
}
