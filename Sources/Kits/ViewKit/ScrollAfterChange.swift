package import SwiftUI

extension View {
    /// Scrolls to the view with `id`, if any, in the turn after each change of `value`, when an added row has its position.
    package func scrolls<ID: Hashable, Value: Equatable>(
        _ scroll: ScrollViewProxy, to id: ID?, anchor: UnitPoint? = nil, onChangeOf value: Value
    ) -> some View {
        modifier(ScrollAfterChange(scroll: scroll, id: id, anchor: anchor, value: value))
    }
}

private struct ScrollAfterChange<ID: Hashable, Value: Equatable>: ViewModifier {
    let scroll: ScrollViewProxy
    let id: ID?
    let anchor: UnitPoint?
    let value: Value
    @State private var changeCount = 0

    func body(content: Content) -> some View {
        content
            .onChange(of: value) { changeCount += 1 }
            .task(id: changeCount) { if changeCount > 0, let id { scroll.scrollTo(id, anchor: anchor) } }
    }
}
