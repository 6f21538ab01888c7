package import SwiftUI

extension View {
    /// Lets a touch anywhere in the bounds edit the text field inside, which by itself takes touches on its line of text only. The
    /// bounds, with the padding around the field, are at least as high as a control.
    package func fieldTouchArea() -> some View { modifier(FieldTouchArea()) }

    /// Adds a ``fieldTouchArea()`` around a field with a focus binding of its own.
    package func fieldTouchArea(_ isFocused: FocusState<Bool>.Binding) -> some View {
        focused(isFocused).touchArea { isFocused.wrappedValue = true }
    }

    /// Adds a ``fieldTouchArea()`` around one of several fields with a common focus binding.
    package func fieldTouchArea<Value: Hashable>(_ focus: FocusState<Value>.Binding, equals value: Value) -> some View {
        focused(focus, equals: value).touchArea { focus.wrappedValue = value }
    }

    private func touchArea(_ focus: @escaping () -> Void) -> some View {
        frame(minHeight: Metrics.control)
            .background { Color.clear.contentShape(Rectangle()).onTapGesture(perform: focus).accessibilityHidden(true) }
    }
}

private struct FieldTouchArea: ViewModifier {
    @FocusState private var isFocused: Bool

    func body(content: Content) -> some View { content.fieldTouchArea($isFocused) }
}
