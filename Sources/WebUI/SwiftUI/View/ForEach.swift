/// A view for each element of a collection. State follows the id of an element through insertions, removals and moves.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
    public var data: Data
    public var content: (Data.Element) -> Content
    let id: (Data.Element) -> ID

    /// Creates a `ForEach` for content of any kind, such as the marks of a chart.
    package init(data: Data, content: @escaping (Data.Element) -> Content, id: @escaping (Data.Element) -> ID) {
        self.data = data
        self.content = content
        self.id = id
    }
}

extension ForEach: View where Content: View {
    public typealias Body = Never

    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
    where ID == Data.Element.ID, Data.Element: Identifiable {
        self.init(data: data, content: content, id: { $0.id })
    }

    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        self.init(data: data, content: content, id: { $0[keyPath: id] })
    }

    public init(_ data: Range<Int>, @ViewBuilder content: @escaping (Int) -> Content) where Data == Range<Int>, ID == Int {
        self.init(data: data, content: content, id: { $0 })
    }

    public init<C>(_ data: Binding<C>, @ViewBuilder content: @escaping (Binding<C.Element>) -> Content)
    where
        Data == LazyMapSequence<C.Indices, (C.Index, ID)>, ID == C.Element.ID, C: MutableCollection & RandomAccessCollection,
        C.Element: Identifiable, C.Index: Hashable
    {
        let value = data.wrappedValue
        self.init(
            data: value.indices.lazy.map { ($0, value[$0].id) },
            content: { index, id in content(data.element(at: index, id: id, last: value[index])) },
            id: { $0.1 })
    }

    public static func _render(_ view: Self, _ context: _RenderContext) {
        if context.place.createsLate, context.host.awaitsRowVisibility { return context.component(LazyRows(rows: view)) }
        // Elements with the same id are numbered, so that they do not share state.
        var copies: [ID: Int] = [:]
        copies.reserveCapacity(view.data.count)
        let content = view.content
        for element in view.data {
            let id = view.id(element)
            let copy = copies[id, default: 0]
            copies[id] = copy + 1
            context.deferred(id: SwiftUI.ID(id, copy: copy)) { content(element) }
        }
    }
}

extension Binding where Value: MutableCollection, Value.Element: Identifiable {
    /// Returns a binding to the element with `id` at its current index. After its removal, reads return `last`; writes do nothing.
    fileprivate func element(at index: Value.Index, id: Value.Element.ID, last: Value.Element) -> Binding<Value.Element> {
        func position(in values: Value) -> Value.Index? {
            if values.indices.contains(index), values[index].id == id { return index }
            return values.indices.first { values[$0].id == id }
        }
        return Binding<Value.Element>(
            location: ClosureLocation(
                get: { position(in: wrappedValue).map { wrappedValue[$0] } ?? last },
                set: { if let index = position(in: wrappedValue) { wrappedValue[index] = $0 } }))
    }
}
