/// The rows of a ``ForEach`` in a list or a vertical lazy stack. Rows far from the visible ones are created when the user comes near them.
///
/// A row that was created stays. Rows that wait are represented by gaps of ``LazyRowsModel/gapLength`` rows, whose height the page estimates.
struct LazyRows<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
    let rows: ForEach<Data, ID, Content>
    @State private var model = LazyRowsModel<Data, ID, Content>()

    var body: some View {
        let (rows, model) = (rows, model)
        Primitive { context in model.render(rows, context) }
    }
}

/// The rows that wait.
@MainActor
final class LazyRowsModel<Data: RandomAccessCollection, ID: Hashable, Content: View> {
    /// The number of new rows that are created at once. Also the number of rows below which a list creates all.
    nonisolated static var immediateCount: Int { 100 }
    /// The number of rows that one gap stands for.
    nonisolated static var gapLength: Int { 25 }

    private var waiting: Set<ID> = []
    private var isFirst = true
    private let readers = Readers()
    /// The last rows and their surroundings. Kept, so that equal bits mean equal objects.
    private var last: (rows: ForEach<Data, ID, Content>, surroundings: _RenderContext.Surroundings)?
    /// The ids of the last rows.
    private var known: Set<ID> = []

    nonisolated init() {}

    func render(_ rows: ForEach<Data, ID, Content>, _ context: _RenderContext) {
        readers.register()
        let keepsRows = last.map { haveSameBits($0.rows, rows) && $0.surroundings.isSame(as: context.surroundings) } ?? false
        last = (rows, context.surroundings)
        let ids = rows.data.map(rows.id)
        if !keepsRows { chooseWaiting(ids, fromEnd: context.environment.startsAtEnd) }
        // Elements with the same id are numbered, so that they do not share state.
        var copies: [ID: Int] = [:]
        copies.reserveCapacity(ids.count)
        var gap: [ID] = []
        let content = rows.content
        for (element, id) in zip(rows.data, ids) {
            if waiting.contains(id) {
                gap.append(id)
                if gap.count == Self.gapLength { close(&gap, context) }
                continue
            }
            close(&gap, context)
            let copy = copies[id, default: 0]
            copies[id] = copy + 1
            context.deferred(id: SwiftUI.ID(id, copy: copy), keepsOld: keepsRows) { content(element) }
        }
        close(&gap, context)
    }

    /// Adds the gap of some rows, if there are any, and begins another.
    private func close(_ gap: inout [ID], _ context: _RenderContext) {
        guard let first = gap.first else { return }
        let ids = gap
        gap = []
        context.gap(
            id: SwiftUI.ID(first), count: ids.count, contains: { ($0 as? SwiftUI.ID<ID>).map { ids.contains($0.value) } ?? false }
        ) { [weak self] in
            self?.create(ids)
        }
    }

    /// Decides which of the new rows wait: all beyond the first ones, or the last ones of content that starts at its end.
    private func chooseWaiting(_ ids: [ID], fromEnd: Bool) {
        let now = Set(ids)
        waiting.formIntersection(now)
        var allowance = Self.immediateCount
        for id in fromEnd ? AnySequence(ids.reversed()) : AnySequence(ids) where !known.contains(id) {
            if allowance > 0 { allowance -= 1 } else { waiting.insert(id) }
        }
        known = now
    }

    private func create(_ ids: [ID]) {
        waiting.subtract(ids)
        readers.invalidate()
    }
}

/// The scope of rows that wait.
final class GapScope: Node {
    fileprivate(set) var contains: (ExplicitID) -> Bool = { _ in false }
    fileprivate(set) var create: () -> Void = {}
}

extension _RenderContext {
    /// Adds the place of `count` rows, which asks for them when it is nearly visible.
    fileprivate func gap(
        id: ExplicitID, count: Int, contains: @escaping (ExplicitID) -> Bool, create: @escaping () -> Void
    ) {
        var outer = self
        outer.traits = Traits()
        outer.place = Place()
        outer.scope(GapScope.init, id: id) { scope, inner in
            scope.contains = contains
            scope.create = create
            var attributes = Attributes()
            attributes[.rowCount] = .number(Double(count))
            inner.element(
                .gap, attributes: attributes, handlers: [.appear: { [weak scope] _ in scope?.create() }], layout: .wide)
        }
    }
}

private enum StartsAtEndKey: LocalKey { static var defaultValue: Bool { false } }

extension EnvironmentValues {
    /// True in content whose end is visible first.
    var startsAtEnd: Bool {
        get { self[StartsAtEndKey.self] }
        set { self[StartsAtEndKey.self] = newValue }
    }
}
