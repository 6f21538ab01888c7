/// The rows of a ``ForEach`` in a list or a vertical lazy stack. Rows far from the visible ones are created when the user comes near them.
///
/// A created row stays. Gaps represent the waiting rows; the page estimates their height. When the user comes near a gap, a large
/// gap is divided, and a small gap is replaced by its rows. The cost of an evaluation depends on the created rows only.
struct LazyRows<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
    let rows: ForEach<Data, ID, Content>
    @State private var model = LazyRowsModel<Data, ID, Content>()

    var body: some View {
        let (rows, model) = (rows, model)
        Primitive { context in model.render(rows, context) }
    }
}

/// The state of ``LazyRows``: the created rows and the waiting ones.
@MainActor
final class LazyRowsModel<Data: RandomAccessCollection, ID: Hashable, Content: View> {
    /// Maximum new rows that are created at once. A list of at most this many rows has no gaps.
    nonisolated static var immediateCount: Int { 100 }
    /// Maximum rows of a small gap, which is replaced by its rows.
    nonisolated static var gapLength: Int { 25 }
    /// Maximum rows of a large gap, which is divided into small ones.
    nonisolated static var largeGapLength: Int { 500 }
    /// Count of rows in small gaps at each end of a long run of waiting rows.
    private static var marginLength: Int { 4 * gapLength }

    /// A part of the rows, in their order.
    private enum Part {
        /// A created row by its index. Elements with the same id are numbered, so that they do not share state.
        case row(Int, copy: Int)
        /// The indices of waiting rows.
        case gap(Range<Int>)
    }

    private let readers = Readers()
    /// The last rows and their surroundings; nil before the first render. Retained, so that equal bits mean equal objects.
    private var last: (rows: ForEach<Data, ID, Content>, surroundings: _RenderContext.Surroundings)?
    /// The ids of the last rows.
    private var ids: [ID] = []
    private var known: Set<ID> = []
    private var waiting: Set<ID> = []
    private var parts: [Part] = []

    nonisolated init() {}

    func render(_ rows: ForEach<Data, ID, Content>, _ context: _RenderContext) {
        readers.register()
        let keepsRows = last.map { haveSameBits($0.rows, rows) && $0.surroundings.isSame(as: context.surroundings) } ?? false
        last = (rows, context.surroundings)
        if !keepsRows {
            chooseWaiting(among: rows.data.map(rows.id), fromEnd: context.environment.startsAtEnd)
            divide()
        }
        let (data, content) = (rows.data, rows.content)
        for part in parts {
            switch part {
            case .row(let index, let copy):
                let element = data[data.index(data.startIndex, offsetBy: index)]
                context.deferred(id: SwiftUI.ID(ids[index], copy: copy), keepsOld: keepsRows) { content(element) }
            case .gap(let range): add(range, context)
            }
        }
    }

    /// Adds a gap. The length is part of the gap's identity, so that the page reports a divided gap again.
    private func add(_ gap: Range<Int>, _ context: _RenderContext) {
        let ids = ids[gap]
        context.gap(
            id: SwiftUI.ID(ids[gap.lowerBound], copy: gap.count), count: gap.count,
            contains: { ($0 as? SwiftUI.ID<ID>).map { ids.contains($0.value) } ?? false }
        ) { [weak self] in
            self?.open(gap, of: ids)
        }
    }

    /// Selects the new rows that wait: all but the first ``immediateCount``, or the last ones of content that starts at its end.
    private func chooseWaiting(among ids: [ID], fromEnd: Bool) {
        let now = Set(ids)
        if !waiting.isEmpty { waiting.formIntersection(now) }
        var allowance = Self.immediateCount
        for id in fromEnd ? AnySequence(ids.reversed()) : AnySequence(ids) where !known.contains(id) {
            if allowance > 0 { allowance -= 1 } else { waiting.insert(id) }
        }
        (self.ids, known) = (ids, now)
    }

    /// Divides the rows into those that are created and the gaps between them.
    private func divide() {
        parts = []
        var copies: [ID: Int] = [:]
        var start = 0
        for (index, id) in ids.enumerated() where !waiting.contains(id) {
            appendGaps(start..<index)
            let copy = copies[id, default: 0]
            copies[id] = copy + 1
            parts.append(.row(index, copy: copy))
            start = index + 1
        }
        appendGaps(start..<ids.count)
    }

    private func appendGaps(_ run: Range<Int>) {
        guard run.count > 2 * Self.marginLength + Self.largeGapLength else { return parts += Self.gaps(run, of: Self.gapLength) }
        let inner = run.dropFirst(Self.marginLength).dropLast(Self.marginLength)
        parts += Self.gaps(run.lowerBound..<inner.startIndex, of: Self.gapLength)
        parts += Self.gaps(inner.startIndex..<inner.endIndex, of: Self.largeGapLength)
        parts += Self.gaps(inner.endIndex..<run.upperBound, of: Self.gapLength)
    }

    private static func gaps(_ run: Range<Int>, of length: Int) -> [Part] {
        stride(from: run.lowerBound, to: run.upperBound, by: length).map { .gap($0..<min($0 + length, run.upperBound)) }
    }

    /// Divides a large gap, and creates the rows of a small one.
    private func open(_ gap: Range<Int>, of ids: ArraySlice<ID>) {
        // The rows may have changed since the gap was rendered.
        let place = parts.firstIndex { if case .gap(gap) = $0 { self.ids[gap] == ids } else { false } }
        guard let place else { return }
        if gap.count > Self.gapLength {
            parts.replaceSubrange(place...place, with: Self.gaps(gap, of: Self.gapLength))
        } else {
            waiting.subtract(ids)
            if known.count == self.ids.count {
                parts.replaceSubrange(place...place, with: gap.map { .row($0, copy: 0) })
            } else {
                // Rows with equal ids are numbered anew.
                divide()
            }
        }
        readers.invalidate()
    }
}

/// The scope of a gap.
final class GapScope: Node {
    fileprivate(set) var contains: (ExplicitID) -> Bool = { _ in false }
    fileprivate(set) var create: () -> Void = {}
}

extension _RenderContext {
    /// Adds a gap of `count` rows, which calls `create` when it is nearly visible.
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
