/// An editable text. The browser owns the typed text, see `Docs/Protocols/WebUI.md`.
public struct TextField<Label: View>: View {
    let field: Field

    public static func _render(_ view: Self, _ context: _RenderContext) { view.field.render(context) }
}

extension TextField where Label == Text {
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {
        field = Field(title: Text(titleKey), text: text)
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>) { field = Field(title: Text(title), text: text) }

    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text?) {
        field = Field(title: Text(titleKey), text: text, prompt: prompt)
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, prompt: Text?) {
        field = Field(title: Text(title), text: text, prompt: prompt)
    }

    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, axis: Axis) {
        field = Field(title: Text(titleKey), text: text, isMultiline: axis == .vertical)
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, axis: Axis) {
        field = Field(title: Text(title), text: text, isMultiline: axis == .vertical)
    }

    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text?, axis: Axis) {
        field = Field(title: Text(titleKey), text: text, prompt: prompt, isMultiline: axis == .vertical)
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, prompt: Text?, axis: Axis) {
        field = Field(title: Text(title), text: text, prompt: prompt, isMultiline: axis == .vertical)
    }
}

/// A field for a password, with hidden text.
public struct SecureField<Label: View>: View {
    let field: Field

    public static func _render(_ view: Self, _ context: _RenderContext) { view.field.render(context) }
}

extension SecureField where Label == Text {
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {
        field = Field(title: Text(titleKey), text: text, isSecure: true)
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>) {
        field = Field(title: Text(title), text: text, isSecure: true)
    }
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text?) {
        field = Field(title: Text(titleKey), text: text, prompt: prompt, isSecure: true)
    }
}

/// The common part of all fields.
struct Field {
    let title: Text
    let text: Binding<String>
    var prompt: Text?
    var isMultiline = false
    var isSecure = false

    @MainActor
    func render(_ context: _RenderContext) {
        let environment = context.environment
        let title = title.string(in: environment)
        var attributes = Attributes()
        attributes[.value] = .text(text.wrappedValue)
        attributes[.placeholder] = .text(prompt?.string(in: environment) ?? title)
        attributes[.accessibilityLabel] = context.traits.attributes[.accessibilityLabel] ?? .text(title)
        attributes[.restorationKey] = context.traits.attributes[.identifier] ?? .text(title)
        if isSecure { attributes[.fieldType] = "password" }
        if isMultiline {
            attributes[flag: .multiline] = true
            attributes[.minimumLines] = environment.minimumLines.map { .number(Double($0)) }
            attributes[.maximumLines] = environment.lineLimit.map { .number(Double($0)) }
        }
        let traits = environment.fieldTraits
        attributes[.look] = .text(traits.look)
        attributes[.inputMode] = traits.keyboard.inputMode.map(AttributeValue.text)
        attributes[.capitalization] = traits.capitalization.map(AttributeValue.text)
        if traits.isCorrectionDisabled { attributes[.correction] = .off }
        attributes[.submitLabel] = traits.submitLabel.map(AttributeValue.text)
        attributes[.autofill] = traits.contentType.map(AttributeValue.text)

        var style: [StyleRule] = []
        let fonts = environment.fontChanges
        if let font = environment.font ?? (fonts == FontChanges() ? nil : .body) { style.append(.font(fonts.applied(to: font))) }
        if let paint = environment.foreground?.resolved(in: environment) { style.append(.foreground(paint)) }
        if let paint = prompt?.ownForeground?.resolved(in: environment) { style.append(.promptForeground(paint)) }
        style += environment.paragraphRules

        let text = text
        var handlers: [EventName: Element.Handler] = [
            .input: { if case .text(let new) = $0 { text.wrappedValue = new } }
        ]
        if let submit = environment.submitAction { handlers[.submit] = { _ in submit() } }
        if let pressed = environment.returnAction { handlers[.returnKey] = { _ in pressed() } }
        context.element(.field, style: style, attributes: attributes, handlers: handlers, layout: .wide)
    }
}

/// The action of `onSubmit`. The same object in every render.
@MainActor
final class SubmitAction {
    fileprivate var perform: () -> Void = {}
    /// The action of the enclosing `onSubmit`, which runs after this one; nil for the outermost.
    fileprivate var outer: SubmitAction?

    func callAsFunction() {
        perform()
        outer?()
    }
}

private final class SubmitScope: Node {
    let action = SubmitAction()
}

/// The input traits of a field.
struct FieldTraits: Equatable {
    var look = "plain"
    var keyboard = UIKeyboardType.default
    var capitalization: String?
    var isCorrectionDisabled = false
    var submitLabel: String?
    var contentType: String?
}

private enum SubmitKey: LocalKey { static var defaultValue: SubmitAction? { nil } }
private enum FieldTraitsKey: LocalKey { static var defaultValue: FieldTraits { FieldTraits() } }
private enum MinimumLinesKey: LocalKey { static var defaultValue: Int? { nil } }

extension EnvironmentValues {
    var submitAction: SubmitAction? {
        get { self[SubmitKey.self] }
        set { self[SubmitKey.self] = newValue }
    }
    var fieldTraits: FieldTraits {
        get { self[FieldTraitsKey.self] }
        set { self[FieldTraitsKey.self] = newValue }
    }
    var minimumLines: Int? {
        get { self[MinimumLinesKey.self] }
        set { self[MinimumLinesKey.self] = newValue }
    }
}

extension View {
    /// Handles Return in the fields inside. In a field of several lines Return on the on-screen keyboard inserts a line break; only
    /// Return on an attached keyboard submits.
    public func onSubmit(of triggers: SubmitTriggers = .text, _ action: @escaping (() -> Void)) -> some View {
        rendering(isAdjustment: true) { content, context in
            context.scope(SubmitScope.init) { scope, inner in
                scope.action.perform = action
                var inner = inner
                // The fields of `searchable` have an action of their own.
                if triggers.contains(.search) {
                    scope.action.outer = inner.environment.searchSubmit
                    inner.environment.searchSubmit = scope.action
                }
                if triggers.contains(.text) {
                    scope.action.outer = inner.environment.submitAction
                    inner.environment.submitAction = scope.action
                }
                content(inner)
            }
        }
    }
    public func submitLabel(_ submitLabel: SubmitLabel) -> some View {
        adjusting { $0.environment.fieldTraits.submitLabel = submitLabel.name }
    }
    public func keyboardType(_ type: UIKeyboardType) -> some View { adjusting { $0.environment.fieldTraits.keyboard = type } }
    public func textInputAutocapitalization(_ autocapitalization: TextInputAutocapitalization?) -> some View {
        adjusting { $0.environment.fieldTraits.capitalization = autocapitalization?.name }
    }
    public func autocorrectionDisabled(_ disable: Bool = true) -> some View {
        adjusting { $0.environment.fieldTraits.isCorrectionDisabled = disable }
    }
    public func textContentType(_ textContentType: UITextContentType?) -> some View {
        adjusting { $0.environment.fieldTraits.contentType = textContentType?.autofill }
    }
    public func textFieldStyle<S: TextFieldStyle>(_ style: S) -> some View {
        adjusting { $0.environment.fieldTraits.look = style is RoundedBorderTextFieldStyle ? "rounded" : "plain" }
    }
}

public struct SubmitTriggers: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let text = SubmitTriggers(rawValue: 1)
    public static let search = SubmitTriggers(rawValue: 2)
}

/// The label of the return key.
public struct SubmitLabel: Sendable {
    let name: String?
    public static let done = SubmitLabel(name: "done")
    public static let go = SubmitLabel(name: "go")
    public static let send = SubmitLabel(name: "send")
    public static let join = SubmitLabel(name: "go")
    public static let route = SubmitLabel(name: "go")
    public static let search = SubmitLabel(name: "search")
    public static let `return` = SubmitLabel(name: nil)
    public static let next = SubmitLabel(name: "next")
    public static let `continue` = SubmitLabel(name: "next")
}

/// The keyboard of a field, named as in UIKit.
public enum UIKeyboardType: Int, Sendable {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    // The name is Apple's.
    case `default`, asciiCapable, numbersAndPunctuation, URL, numberPad, phonePad, namePhonePad, emailAddress, decimalPad
    case twitter, webSearch, asciiCapableNumberPad

    fileprivate var inputMode: String? {
        switch self {
        case .numberPad, .asciiCapableNumberPad: "numeric"
        case .decimalPad: "decimal"
        case .phonePad, .namePhonePad: "tel"
        case .emailAddress: "email"
        case .URL: "url"
        case .webSearch: "search"
        default: nil
        }
    }
}

public struct TextInputAutocapitalization: Sendable {
    let name: String
    public static var never: TextInputAutocapitalization { .init(name: "none") }
    public static var words: TextInputAutocapitalization { .init(name: "words") }
    public static var sentences: TextInputAutocapitalization { .init(name: "sentences") }
    public static var characters: TextInputAutocapitalization { .init(name: "characters") }
}

/// The content of a field, for autofill, named as in UIKit.
public struct UITextContentType: Hashable, Sendable {
    let autofill: String
    public static let username = UITextContentType(autofill: "username")
    public static let password = UITextContentType(autofill: "current-password")
    public static let newPassword = UITextContentType(autofill: "new-password")
    public static let oneTimeCode = UITextContentType(autofill: "one-time-code")
    public static let name = UITextContentType(autofill: "name")
    public static let nickname = UITextContentType(autofill: "nickname")
    public static let emailAddress = UITextContentType(autofill: "email")
    public static let telephoneNumber = UITextContentType(autofill: "tel")
    // swift-format-ignore: AlwaysUseLowerCamelCase
    // The name is Apple's.
    public static let URL = UITextContentType(autofill: "url")
}

public protocol TextFieldStyle: Sendable {}
public struct DefaultTextFieldStyle: TextFieldStyle { public init() {} }
public struct PlainTextFieldStyle: TextFieldStyle { public init() {} }
public struct RoundedBorderTextFieldStyle: TextFieldStyle { public init() {} }
extension TextFieldStyle where Self == DefaultTextFieldStyle { public static var automatic: DefaultTextFieldStyle { .init() } }
extension TextFieldStyle where Self == PlainTextFieldStyle { public static var plain: PlainTextFieldStyle { .init() } }
extension TextFieldStyle where Self == RoundedBorderTextFieldStyle {
    public static var roundedBorder: RoundedBorderTextFieldStyle { .init() }
}
