/// The purpose of a button.
public struct ButtonRole: Equatable, Sendable {
    private let name: String
    public static let destructive = ButtonRole(name: "destructive")
    public static let cancel = ButtonRole(name: "cancel")
}

/// A control that runs an action.
public struct Button<Label: View>: View {
    let role: ButtonRole?
    let action: @MainActor () -> Void
    let label: Label

    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.init(role: nil, action: action, label: label)
    }
    public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.role = role
        self.action = action
        self.label = label()
    }

    public static func _render(_ view: Self, _ context: _RenderContext) {
        context.button(.button, role: view.role, action: view.action) { Label._render(view.label, $0) }
    }
}

extension Button where Label == Text {
    public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
        self.init(role: nil, action: action) { Text(titleKey) }
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {
        self.init(role: nil, action: action) { Text(title) }
    }
    public init(_ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
        self.init(role: role, action: action) { Text(titleKey) }
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
        self.init(role: role, action: action) { Text(title) }
    }
}

extension Button where Label == SwiftUI.Label<Text, Image> {
    public init(_ titleKey: LocalizedStringKey, systemImage: String, action: @escaping @MainActor () -> Void) {
        self.init(role: nil, action: action) { SwiftUI.Label(titleKey, systemImage: systemImage) }
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage: String, action: @escaping @MainActor () -> Void) {
        self.init(role: nil, action: action) { SwiftUI.Label(title, systemImage: systemImage) }
    }
    public init(_ titleKey: LocalizedStringKey, systemImage: String, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
        self.init(role: role, action: action) { SwiftUI.Label(titleKey, systemImage: systemImage) }
    }
}

extension _RenderContext {
    /// Adds a button or a link in the style of the environment.
    func button(
        _ kind: ElementKind, role: ButtonRole? = nil, attributes: Attributes = Attributes(), action: (@MainActor () -> Void)?,
        label: @escaping @MainActor (_RenderContext) -> Void
    ) {
        var attributes = attributes
        attributes[flag: .danger] = role == .destructive
        var handlers: [EventName: Element.Handler] = [:]
        if let action { handlers[.tap] = { _ in action() } }

        if let dialog = environment.dialog {
            attributes[flag: .cancel] = role == .cancel
            handlers[.tap] = { _ in
                dialog.dismissal.perform()
                action?()
            }
            element(kind, attributes: attributes, handlers: handlers, layout: .wide, place: Place(axis: .horizontal)) { inner in
                var inner = inner
                inner.environment.dialog = nil
                label(inner)
            }
            return
        }

        switch environment.buttonLook {
        case .custom(let style):
            component(
                _CustomButton(kind: kind, style: style, role: role, attributes: attributes, handlers: handlers, label: label))
        case .builtIn(let look):
            attributes[.look] = .text(look.rawValue)
            if look == .bordered || look == .prominent, environment.controlSize != .regular {
                attributes[.controlSize] = .text("\(environment.controlSize)")
            }
            element(kind, attributes: attributes, handlers: handlers, place: Place(axis: .horizontal, insideRow: place.isRow)) {
                inner in
                var inner = inner
                if inner.environment.foreground == nil {
                    switch look {
                    case .plain: break
                    case .borderless, .bordered: inner.environment.inheritForeground(role == .destructive ? .color(.red) : .tint)
                    case .prominent: inner.environment.inheritForeground(.color(.white))
                    }
                }
                label(inner)
            }
        }
    }
}

// MARK: Styles

enum ButtonLook: String { case plain, borderless, bordered, prominent }

enum ButtonStyling: Equatable {
    case builtIn(ButtonLook)
    case custom(any ButtonStyle)

    static func == (first: ButtonStyling, second: ButtonStyling) -> Bool {
        switch (first, second) {
        case (.builtIn(let one), .builtIn(let two)): one == two
        case (.custom(let one), .custom(let two)): areSame(one, two)
        default: false
        }
    }

    private static func areSame<Style: ButtonStyle>(_ first: Style, _ second: any ButtonStyle) -> Bool {
        (second as? Style).map { haveSameBits(first, $0) } ?? false
    }
}

private enum ButtonStyleKey: LocalKey {
    static var defaultValue: ButtonStyling { .builtIn(.borderless) }
}

extension EnvironmentValues {
    var buttonLook: ButtonStyling {
        get { self[ButtonStyleKey.self] }
        set { self[ButtonStyleKey.self] = newValue }
    }
}

/// The appearance of buttons with standard behaviour.
@MainActor @preconcurrency
public protocol ButtonStyle {
    associatedtype Body: View
    typealias Configuration = ButtonStyleConfiguration
    @ViewBuilder @MainActor @preconcurrency func makeBody(configuration: Configuration) -> Body
}

public struct ButtonStyleConfiguration {
    /// The label of a button.
    public struct Label: View {
        let render: @MainActor (_RenderContext) -> Void
        public static func _render(_ view: Self, _ context: _RenderContext) { view.render(context) }
    }
    public let role: ButtonRole?
    public let label: Label
    public let isPressed: Bool
}

private struct _CustomButton: View {
    let kind: ElementKind
    let style: any ButtonStyle
    let role: ButtonRole?
    let attributes: Attributes
    let handlers: [EventName: Element.Handler]
    let label: @MainActor (_RenderContext) -> Void
    @State private var isPressed = false

    var body: some View {
        let pressed = $isPressed
        Primitive { context in
            var attributes = attributes
            attributes[.look] = "custom"
            var handlers = handlers
            handlers[.press] = { pressed.wrappedValue = $0 == .number(1) }
            context.element(kind, attributes: attributes, handlers: handlers, place: Place(axis: .horizontal)) {
                $0.styled(
                    style, ButtonStyleConfiguration(role: role, label: .init(render: label), isPressed: pressed.wrappedValue))
            }
        }
    }
}

extension _RenderContext {
    fileprivate func styled<S: ButtonStyle>(_ style: S, _ configuration: ButtonStyleConfiguration) {
        component(_Component(fields: style) { $0.makeBody(configuration: configuration) })
    }
}

/// A view without a body, rendered by a closure.
struct Primitive: View {
    let render: @MainActor (_RenderContext) -> Void
    static func _render(_ view: Primitive, _ context: _RenderContext) { view.render(context) }
}

/// A button style that also controls the interaction. Only the built-in styles conform.
@MainActor @preconcurrency
public protocol PrimitiveButtonStyle {
    var _look: String { get }
}

public struct DefaultButtonStyle: PrimitiveButtonStyle {
    public nonisolated init() {}
    public var _look: String { "borderless" }
}
public struct PlainButtonStyle: PrimitiveButtonStyle {
    public nonisolated init() {}
    public var _look: String { "plain" }
}
public struct BorderlessButtonStyle: PrimitiveButtonStyle {
    public nonisolated init() {}
    public var _look: String { "borderless" }
}
public struct BorderedButtonStyle: PrimitiveButtonStyle {
    public nonisolated init() {}
    public var _look: String { "bordered" }
}
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {
    public nonisolated init() {}
    public var _look: String { "prominent" }
}
extension PrimitiveButtonStyle where Self == DefaultButtonStyle { public static var automatic: DefaultButtonStyle { .init() } }
extension PrimitiveButtonStyle where Self == PlainButtonStyle { public static var plain: PlainButtonStyle { .init() } }
extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    public static var borderless: BorderlessButtonStyle { .init() }
}
extension PrimitiveButtonStyle where Self == BorderedButtonStyle { public static var bordered: BorderedButtonStyle { .init() } }
extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    public static var borderedProminent: BorderedProminentButtonStyle { .init() }
}

extension View {
    public func buttonStyle<S: ButtonStyle>(_ style: S) -> some View { adjusting { $0.environment.buttonLook = .custom(style) } }
    public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View {
        adjusting { $0.environment.buttonLook = .builtIn(ButtonLook(rawValue: style._look) ?? .borderless) }
    }
    public func controlSize(_ controlSize: ControlSize) -> some View { adjusting { $0.environment.controlSize = controlSize } }
    public func buttonBorderShape(_ shape: ButtonBorderShape) -> some View { self }
}

/// The size of controls.
public enum ControlSize: CaseIterable, Hashable, Sendable {
    case mini, small, regular, large, extraLarge
}

public struct ButtonBorderShape: Equatable, Sendable {
    private let name: String
    public static let automatic = ButtonBorderShape(name: "automatic")
    public static let capsule = ButtonBorderShape(name: "capsule")
    public static let roundedRectangle = ButtonBorderShape(name: "roundedRectangle")
}

private enum ControlSizeKey: LocalKey { static var defaultValue: ControlSize { .regular } }

extension EnvironmentValues {
    public var controlSize: ControlSize {
        get { self[ControlSizeKey.self] }
        set { self[ControlSizeKey.self] = newValue }
    }
}
