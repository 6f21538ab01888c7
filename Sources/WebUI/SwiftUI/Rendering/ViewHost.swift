/// A tree of views that lives: evaluates what changed, runs effects, and says what a page has to change.
@MainActor
package final class ViewHost {
    /// What the world around the views is like: language, appearance, phase.
    package let scene: SceneModel
    /// Until the tree is closed.
    package private(set) var root: Element!
    /// Told after each flush that changed something a page shows.
    package var onChanges: (@MainActor ([Change], Animation?) -> Void)?

    nonisolated let invalidations = InvalidationQueue()
    private var components: [ObjectIdentifier: AnyComponent] = [:]
    private var elements: [Int: Element] = [:]
    private var lastElementID = 0
    /// Components made or updated by the evaluation under way, in order.
    private var fresh: [AnyComponent] = []
    private var effects: [@MainActor () -> Void] = []
    private var settlers: [ObjectIdentifier: @MainActor () -> Void] = [:]
    private var changedElements: [Element] = []
    private var restructured: [Int: Element] = [:]
    private var flushWaiters: [Int: @MainActor () -> Void] = [:]
    private var lastWaiter = 0
    private var isFlushing = false
    package private(set) var isClosed = false
    private var lastFlush = ContinuousClock.now
    private var flushTask: Task<Void, Never>?
    private let render: @MainActor (_RenderContext) -> Void

    /// The least time between two flushes that nobody is waiting for.
    package static let pace = Duration.milliseconds(16)
    /// Effects may change state, which may cause effects. A view that never comes to rest is left for the next flush.
    private static let mostRounds = 64

    package init<Root: View>(_ root: Root, scene: SceneModel = SceneModel()) {
        self.scene = scene
        // A component, so that what a root without a body reads is tracked too.
        render = { $0.deferred { root } }
        invalidations.start { [weak self] in
            Task { @MainActor in self?.flushWhenDue() }
        }
        self.root = Element(kind: .root, key: Node.Key(path: 0, kind: .element(.root)), parent: nil, host: self)
        var environment = EnvironmentValues()
        environment.scene = scene
        let list = ChildList(self.root)
        render(_RenderContext(list, .init(environment: environment)))
        list.finish()
        structureChanged(self.root)
        flush()
    }

    /// Ends every task and effect of the tree. Nothing is evaluated afterwards.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        flushTask?.cancel()
        onChanges = nil
        root.unmount()
        runEffects()
        // Nodes hold this: everything that holds nodes lets go.
        root = nil
        fresh = []
        settlers = [:]
        changedElements = []
        restructured = [:]
        elements = [:]
        wake()
    }

    // MARK: Flushing

    /// While set, changes that nobody is waiting for stay where they are: whoever shows them has not caught up.
    package var holdsBack = false {
        didSet { if !holdsBack, hasHeldBack { flushWhenDue() } }
    }
    private var hasHeldBack = false

    private func flushWhenDue() {
        hasHeldBack = holdsBack
        guard !isClosed, !holdsBack, flushTask == nil else { return }
        let due = lastFlush + Self.pace
        guard due > .now else { return flush() }
        flushTask = Task { [weak self] in
            // Cancelled by a flush that came first.
            guard (try? await Task.sleep(until: due)) != nil else { return }
            self?.flushTask = nil
            self?.flush()
        }
    }

    /// Evaluates everything that changed, now.
    package func flush() {
        guard !isClosed, !isFlushing else { return }
        isFlushing = true
        flushTask?.cancel()
        flushTask = nil
        var motion: Animation?
        for _ in 0..<Self.mostRounds {
            let waiting = invalidations.take()
            motion = waiting.motion ?? motion
            var stack = waiting.components.compactMap { components[$0] }.sorted { $0.depth > $1.depth }
            for component in stack { component.needsEvaluation = true }
            stack += fresh.reversed()
            fresh = []
            evaluate(&stack)
            settle()
            runEffects()
            if invalidations.isEmpty, fresh.isEmpty, effects.isEmpty, settlers.isEmpty { break }
        }
        // An effect may have closed the tree.
        guard !isClosed else { return }
        layOut()
        let changes = collectChanges()
        lastFlush = .now
        isFlushing = false
        if !changes.isEmpty { onChanges?(changes, motion) }
        wake()
        if !invalidations.isEmpty || !fresh.isEmpty { invalidations.request() }
    }

    /// Children are evaluated right after the body that made them, in its order.
    private func evaluate(_ stack: inout [AnyComponent]) {
        while let component = stack.popLast() {
            guard component.needsEvaluation, component.isMounted else { continue }
            component.evaluate()
            stack += fresh.reversed()
            fresh = []
        }
    }

    private func settle() {
        while !settlers.isEmpty {
            let current = settlers.values
            settlers = [:]
            for settler in current { settler() }
        }
    }

    private func runEffects() {
        let current = effects
        effects = []
        for effect in current { Evaluation.none(effect) }
    }

    func register(_ component: AnyComponent) { components[ObjectIdentifier(component.invalidation)] = component }
    func unregister(_ component: AnyComponent) { components[ObjectIdentifier(component.invalidation)] = nil }

    func enqueue(_ component: AnyComponent) {
        guard !component.needsEvaluation else { return }
        component.needsEvaluation = true
        fresh.append(component)
    }

    /// Runs `effect` once the views of this flush are evaluated.
    func afterEvaluation(_ effect: @escaping @MainActor () -> Void) {
        effects.append(effect)
        if !isFlushing, !isClosed { invalidations.request() }
    }

    /// Runs `settler` once for `object` when the bodies of this round are evaluated, before effects.
    func settle(_ object: AnyObject, _ settler: @escaping @MainActor () -> Void) {
        settlers[ObjectIdentifier(object)] = settler
        if !isFlushing, !isClosed { invalidations.request() }
    }

    // MARK: Events

    /// Runs what a person did. Ignored when nothing on the screen takes it any more.
    /// - Returns: Whether something took it.
    @discardableResult
    package func send(_ event: EventName, to id: Int, _ value: EventValue = .none) -> Bool {
        flush()
        guard let element = elements[id], let handler = element.handlers[event] else { return false }
        if event == .input, case .text(let text) = value {
            // The page shows this already; what the binding makes of it is sent back only where it differs.
            element.attributes[.value] = .text(text)
            element.shownAttributes[.value] = .text(text)
            element.component?.invalidation.invalidate()
        }
        handler(value)
        flush()
        return true
    }

    /// Calls `body` after each flush until the returned function is called.
    func afterEachFlush(_ body: @escaping @MainActor () -> Void) -> @MainActor () -> Void {
        lastWaiter += 1
        let number = lastWaiter
        flushWaiters[number] = body
        return { [weak self] in self?.flushWaiters[number] = nil }
    }

    private func wake() { for waiter in flushWaiters.values { waiter() } }

    // MARK: Elements

    func nextElementID() -> Int {
        lastElementID += 1
        return lastElementID
    }

    /// The element the page calls `id`, while it is mounted.
    package func element(_ id: Int) -> Element? { elements[id] }

    package var elementCount: Int { elements.count }

    func changed(_ element: Element) {
        guard !element.isMarked else { return }
        element.isMarked = true
        changedElements.append(element)
        elements[element.id] = element
        if !isFlushing, !isClosed { invalidations.request() }
    }

    func structureChanged(_ element: Element) {
        restructured[element.id] = element
        changed(element)
    }

    func forget(_ element: Element) {
        elements[element.id] = nil
        restructured[element.id] = nil
    }

    // MARK: Changes

    /// Finds anew which elements want all room, from the leaves up, where the structure changed.
    private func layOut() {
        var waiting = restructured
        for element in restructured.values where element.isMounted { element.pageChildrenWaiting = element.flattened() }
        var order = restructured.values.sorted { $0.depth < $1.depth }
        while let element = order.popLast() {
            guard waiting.removeValue(forKey: element.id) != nil, element.isMounted else { continue }
            let flags = element.wishes
            guard flags != element.flags else { continue }
            element.flags = flags
            changed(element)
            if let container = element.container, waiting[container.id] == nil {
                waiting[container.id] = container
                let index = order.firstIndex { $0.depth > container.depth } ?? order.endIndex
                order.insert(container, at: index)
            }
        }
    }

    private func collectChanges() -> [Change] {
        var changes: [Change] = []
        let changed = changedElements
        changedElements = []
        restructured = [:]
        for element in changed where element.isMounted && element.isOnPage { element.collectPatch(into: &changes) }
        for element in changed where element.isMounted && element.isOnPage { element.collectChildChanges(into: &changes) }
        if root.isMounted, !root.isOnPage {
            root.putOnPage()
            changes.append(.replaced(root))
        }
        for element in changed { element.isMarked = false }
        return changes
    }
}

extension Element {
    /// Its own wish and its content's, as far as the rule lets it through.
    fileprivate var wishes: LayoutFlags {
        var content: LayoutFlags = []
        for child in pageChildrenWaiting ?? pageChildren
        where !child.kind.isPresentation && child.kind != .layer && child.kind != .items {
            content.formUnion(child.flags)
        }
        return layout.own.union(content.intersection(layout.passes))
    }
}
