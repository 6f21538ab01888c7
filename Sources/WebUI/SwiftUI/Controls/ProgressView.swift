/// A progress bar, or an indicator of a running task.
public struct ProgressView<Label: View, CurrentValueLabel: View>: View {
    let label: Label?
    let fraction: Double?

    public static func _render(_ view: Self, _ context: _RenderContext) {
        let look = context.environment.progressLook ?? (view.fraction == nil ? .circular : .linear)
        var attributes = Attributes()
        attributes[.look] = .text(look.rawValue)
        attributes[.fraction] = view.fraction.map(AttributeValue.number)
        context.element(
            .progress, attributes: attributes, layout: look == .linear ? .wide : .hugging, place: Place(axis: .vertical)
        ) { inner in
            if let label = view.label { Label._render(label, inner) }
        }
    }

    /// Returns `value / total`, limited to 0 to 1; nil without a finite value and a positive, finite total.
    static func fraction<V: BinaryFloatingPoint>(_ value: V?, of total: V) -> Double? {
        guard let value, value.isFinite, total.isFinite, total > 0 else { return nil }
        return Double(min(max(value / total, 0), 1))
    }
}

extension ProgressView where CurrentValueLabel == EmptyView {
    public init() where Label == EmptyView {
        label = nil
        fraction = nil
    }
    public init(@ViewBuilder label: () -> Label) {
        self.label = label()
        fraction = nil
    }
    public init(_ titleKey: LocalizedStringKey) where Label == Text { self.init { Text(titleKey) } }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S) where Label == Text { self.init { Text(title) } }
    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0) where Label == EmptyView {
        label = nil
        fraction = Self.fraction(value, of: total)
    }
    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0, @ViewBuilder label: () -> Label) {
        self.label = label()
        fraction = Self.fraction(value, of: total)
    }
    public init<V: BinaryFloatingPoint>(_ titleKey: LocalizedStringKey, value: V?, total: V = 1.0) where Label == Text {
        self.init(value: value, total: total) { Text(titleKey) }
    }
}

enum ProgressLook: String { case circular, linear }

private enum ProgressLookKey: LocalKey { static var defaultValue: ProgressLook? { nil } }

extension EnvironmentValues {
    var progressLook: ProgressLook? {
        get { self[ProgressLookKey.self] }
        set { self[ProgressLookKey.self] = newValue }
    }
}

public protocol ProgressViewStyle: Sendable {}
public struct DefaultProgressViewStyle: ProgressViewStyle { public init() {} }
public struct CircularProgressViewStyle: ProgressViewStyle { public init() {} }
public struct LinearProgressViewStyle: ProgressViewStyle { public init() {} }
extension ProgressViewStyle where Self == DefaultProgressViewStyle {
    public static var automatic: DefaultProgressViewStyle { .init() }
}
extension ProgressViewStyle where Self == CircularProgressViewStyle {
    public static var circular: CircularProgressViewStyle { .init() }
}
extension ProgressViewStyle where Self == LinearProgressViewStyle { public static var linear: LinearProgressViewStyle { .init() } }

extension View {
    public func progressViewStyle<S: ProgressViewStyle>(_ style: S) -> some View {
        adjusting {
            $0.environment.progressLook =
                style is CircularProgressViewStyle ? .circular : style is LinearProgressViewStyle ? .linear : nil
        }
    }
}
