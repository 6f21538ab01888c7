/// A control for one of several values. Each option needs a `tag(_:)`.
public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: View {
    let selection: Binding<SelectionValue>
    let label: Label
    let content: Content

    public init(selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        self.selection = selection
        self.label = label()
        self.content = content()
    }

    public static func _render(_ view: Self, _ context: _RenderContext) {
        let selection = view.selection
        let options = PickerOptions(content: view.content, selected: AnyHashable(selection.wrappedValue)) { tag in
            if let value = tag.base as? SelectionValue { selection.wrappedValue = value }
        }
        switch context.environment.pickerLook {
        // In a menu the options are among the other actions.
        case _ where context.environment.dialog?.element?.kind == .menu, .inline: options.render(context)
        case .segmented:
            context.element(.picker, layout: .wide, place: Place(axis: .horizontal)) { inner in
                inner.child(0).hidden(view.label)
                options.render(inner.child(1))
            }
        case .menu: context.component(_MenuPicker(label: view.label, options: options, isRow: context.place.isRow))
        }
    }
}

extension Picker where Label == Text {
    public init(_ titleKey: LocalizedStringKey, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content) {
        self.init(selection: selection, content: content) { Text(titleKey) }
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content) {
        self.init(selection: selection, content: content) { Text(title) }
    }
}

/// A button that shows the selected option and opens a menu of all options. In a row the label is beside the button.
private struct _MenuPicker<Label: View, Content: View>: View {
    let label: Label
    let options: PickerOptions<Content>
    let isRow: Bool
    @Environment(\.hidesLabels) private var hidesLabels

    var body: some View {
        let options = options
        let menu = Menu {
            Primitive { options.render($0) }
        } label: {
            HStack(spacing: 4) {
                Primitive { label($0) }
                ZStack { Primitive { options.render($0, onlySelected: true) } }
                Image(systemName: "chevron.up.chevron.down").imageScale(.small).accessibilityHidden(true)
            }
        }
        if isRow, !hidesLabels {
            HStack {
                label
                Spacer()
                menu
            }
        } else {
            menu
        }
    }

    /// Adds the label to the button for screen readers, unless the label is visible.
    private func label(_ context: _RenderContext) { if !isRow || hidesLabels { context.hidden(label) } }
}

extension _RenderContext {
    /// Adds a view for screen readers only.
    fileprivate func hidden<V: View>(_ view: V) {
        var context = self
        context.traits.attributes[flag: .speechOnly] = true
        V._render(view, context)
    }
}

/// The options of a picker, one for each view in `content`.
private struct PickerOptions<Content: View> {
    let content: Content
    let selected: AnyHashable
    let select: @MainActor (AnyHashable) -> Void

    @MainActor
    func render(_ context: _RenderContext, onlySelected: Bool = false) {
        context.scope(PickerScope.init) { scope, inner in
            scope.model.select = select
            var inner = inner
            inner.environment.choice = PickerChoice(selected: selected, onlySelected: onlySelected, model: scope.model)
            inner.place.isOption = true
            Content._render(content, inner)
        }
    }
}

private final class PickerScope: Node {
    let model = PickerModel()
}

/// The action that selects an option.
@MainActor
final class PickerModel {
    fileprivate(set) var select: @MainActor (AnyHashable) -> Void = { _ in }
}

/// The selection of the picker around an option.
struct PickerChoice: Equatable {
    let selected: AnyHashable
    /// True if only the selected option is shown, as a part of a label.
    let onlySelected: Bool
    let model: PickerModel

    static func == (first: PickerChoice, second: PickerChoice) -> Bool {
        first.selected == second.selected && first.onlySelected == second.onlySelected && first.model === second.model
    }
}

private enum PickerChoiceKey: LocalKey { static var defaultValue: PickerChoice? { nil } }

extension EnvironmentValues {
    var choice: PickerChoice? {
        get { self[PickerChoiceKey.self] }
        set { self[PickerChoiceKey.self] = newValue }
    }
}

// MARK: Styles

enum PickerLook: String { case menu, segmented, inline }

private enum PickerLookKey: EnvironmentKey { static var defaultValue: PickerLook { .menu } }

extension EnvironmentValues {
    var pickerLook: PickerLook {
        get { self[PickerLookKey.self] }
        set { self[PickerLookKey.self] = newValue }
    }
}

/// The appearance of a ``Picker``.
@MainActor @preconcurrency
public protocol PickerStyle {
    var _look: String { get }
}

public struct DefaultPickerStyle: PickerStyle {
    nonisolated public init() {}
    public var _look: String { PickerLook.menu.rawValue }
}
public struct MenuPickerStyle: PickerStyle {
    nonisolated public init() {}
    public var _look: String { PickerLook.menu.rawValue }
}
public struct SegmentedPickerStyle: PickerStyle {
    nonisolated public init() {}
    public var _look: String { PickerLook.segmented.rawValue }
}
public struct InlinePickerStyle: PickerStyle {
    nonisolated public init() {}
    public var _look: String { PickerLook.inline.rawValue }
}
extension PickerStyle where Self == DefaultPickerStyle { public static var automatic: DefaultPickerStyle { .init() } }
extension PickerStyle where Self == MenuPickerStyle { public static var menu: MenuPickerStyle { .init() } }
extension PickerStyle where Self == SegmentedPickerStyle { public static var segmented: SegmentedPickerStyle { .init() } }
extension PickerStyle where Self == InlinePickerStyle { public static var inline: InlinePickerStyle { .init() } }

extension View {
    public func pickerStyle<S: PickerStyle>(_ style: S) -> some View {
        let look = PickerLook(rawValue: style._look) ?? .menu
        return adjusting { $0.environment.pickerLook = look }
    }
}
