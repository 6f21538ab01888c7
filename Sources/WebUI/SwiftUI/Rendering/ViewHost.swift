/// A live tree of views: evaluates changed components, runs effects, and reports the changes for a page.
@MainActor
package final class ViewHost {
    /// The language, appearance and phase of the surrounding scene.
    package let scene: SceneModel
    /// The outermost element, unmounted after ``close()``.
    package private(set) var root: Element!
    /// Called with the changes and their animation after each flush that changed the page, and after each flush of several turns.
    package var onChanges: (@MainActor ([Change], Animation?) -> Void)?

    /// True if rows of lazy containers appear when the page reports them visible. Otherwise they appear at once.
    let awaitsRowVisibility: Bool
    nonisolated let invalidations = InvalidationQueue()
    package let tracking = Tracking()
    /// Elements with event handlers, by id.
    private var listeners: [Int: Element] = [:]
    /// The scopes of the items in each bar, by the id of the bar, in the order of the page.
    var barScopes: [Int: [BarScope]] = [:]
    private var lastElementNumber: UInt32 = 0
    private var recentStyles = Recent<[StyleRule]>()
    private var recentAttributes = Recent<Attributes>()
    /// Components that the current evaluation created or updated, in order.
    private var fresh: [AnyComponent] = []
    /// The components to evaluate in this round, the next one last. Kept between the turns of a long flush.
    private var stack: [AnyComponent] = []
    /// The elements that still need layout flags in this flush, by depth, and their ids. Kept between the turns of a long flush.
    private var layoutLevels: [[Element]] = []
    private var awaitsLayout: Set<Int> = []
    /// The animation of the running flush; nil for none.
    private var motion: Animation?
    private var effects: [@MainActor () -> Void] = []
    /// The room above the screen.
    let room = PresentationRoom()
    /// The alerts and confirmation dialogs on screen.
    var dialogs: [ObjectIdentifier: DialogModel] = [:]
    /// The scopes of `onOpenURL`.
    var openers: [OpenURLScope] = []
    private var completions: [ObjectIdentifier: @MainActor () -> Void] = [:]
    /// Elements that differ from the page, in the order of their first change.
    private var changed: [Element] = []
    /// The state of the changed elements on the page, by id.
    private(set) var shown: [Int: Element.Shown] = [:]
    private var restructured: [Int: Element] = [:]
    private var flushObservers: [Int: @MainActor () -> Void] = [:]
    private var lastObserver = 0
    private var isFlushing = false
    /// The step at which the next turn of the flush continues.
    private enum Step { case none, evaluation, layout }
    private var step = Step.none
    /// Counts of turns and rounds in the running flush.
    private var (turnCount, roundCount) = (0, 0)
    /// True if a flush was requested between the turns of the running one, which may miss the latest changes.
    private var owesFlush = false
    /// True between the turns of a long flush, and while its changes are held.
    package var isUnfinished: Bool { step != .none || isHeld }
    /// The sequence number of the last event from the page.
    package var lastEvent = 0
    /// The sequence number of the last event whose effects have been reported.
    package private(set) var lastReportedEvent = 0
    /// The sequence number of the last event before the last round of the running flush.
    private var lastFlushedEvent = 0
    /// True while the receiver of the changes still reads the tree, so that nothing may be evaluated.
    package var isHeld = false {
        didSet { if oldValue, !isHeld { flushWhenDue() } }
    }
    package private(set) var isClosed = false
    private var lastFlush = ContinuousClock.now
    private var flushTask: Task<Void, Never>?
    /// Count of evaluations so far.
    package private(set) var evaluationCount = 0
    /// Units of work so far: evaluations, elements created or compared, and layouts (``layoutsPerEvaluation`` for one unit).
    package private(set) var workCount = 0

    /// Minimum time between two flushes that no event of the user caused.
    package static let pace = Duration.milliseconds(16)
    /// Maximum rounds in one flush. Effects may change state, which may cause effects; a view that changes in every round continues
    /// in the next flush.
    private static let maximumRoundCount = 64
    /// Maximum rounds in a flush of several turns, since state may change again between any two turns.
    private static let maximumRoundCountOfTurns = 4

    /// Maximum ``workCount`` in one turn of the main actor, which all trees share. A larger flush continues in further turns, so
    /// that the content of one page does not delay the others.
    private let workPerTurn: Int
    /// Count of elements whose layout flags take about as long as the evaluation of a view.
    private static let layoutsPerEvaluation = 8

    /// - Parameter awaitsRowVisibility: True if the page sends `appear` for rows that become visible.
    package init<Root: View>(
        _ root: Root, scene: SceneModel = SceneModel(), awaitsRowVisibility: Bool = false, workPerTurn: Int = .max
    ) {
        self.scene = scene
        self.awaitsRowVisibility = awaitsRowVisibility
        self.workPerTurn = workPerTurn
        invalidations.start { [weak self] in
            // Bridges a change of the model on any thread to the main actor.
            Task { @MainActor in self?.flushWhenDue() }
        }
        self.root = Element(kind: .root, key: Node.Key(0, .root), parent: nil, host: self)
        var environment = EnvironmentValues()
        environment.scene = scene
        let list = ChildList(self.root)
        _RenderContext(list, .init(environment: environment)).deferred { root }
        list.finish()
        flush()
    }

    /// Ends every task and effect of the tree. Nothing is evaluated afterwards.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        flushTask?.cancel()
        onChanges = nil
        root.unmount()
        root.children = []
        runEffects()
        tracking.sweep()
        fresh = []
        (stack, step, owesFlush, isHeld) = ([], .none, false, false)
        (layoutLevels, awaitsLayout) = ([], [])
        completions = [:]
        changed = []
        shown = [:]
        restructured = [:]
        wake()
    }

    // MARK: Flushing

    /// True if background changes wait because the page has not received the last ones. Events of the user are not affected.
    package var defersChanges = false {
        didSet { if !defersChanges, hasDeferredChanges { flushWhenDue() } }
    }
    private var hasDeferredChanges = false

    private func flushWhenDue() {
        hasDeferredChanges = defersChanges
        guard !isClosed, !isHeld, !defersChanges, flushTask == nil, hasWork || goesOn else { return }
        let due = lastFlush + Self.pace
        guard due > .now, !goesOn else { return takeTurn() }
        flushTask = Task { [weak self] in
            // Cancelled by an earlier flush.
            guard (try? await Task.sleep(until: due)) != nil else { return }
            self?.flushTask = nil
            self?.flushWhenDue()
        }
    }

    /// True if no component, effect or completion is waiting.
    private var isIdle: Bool {
        invalidations.isEmpty && fresh.isEmpty && stack.isEmpty && effects.isEmpty && completions.isEmpty
    }

    /// True if the next turn is due at once.
    private var goesOn: Bool { step != .none || owesFlush }

    private var hasWork: Bool { !isIdle || !changed.isEmpty || !restructured.isEmpty }

    /// Evaluates all changed components and reports the changes. Work beyond ``workPerTurn`` follows in further turns.
    package func flush() {
        guard !isClosed, !isFlushing else { return }
        if isUnfinished { owesFlush = true }
        takeTurn()
    }

    private func takeTurn() {
        guard !isClosed, !isFlushing, !isHeld else { return }
        asCurrent { evaluateTurn() }
    }

    /// Runs `body` as work of this tree's scene. Tasks that it starts belong to the scene as well.
    private func asCurrent(_ body: () -> Void) { SceneModel.$current.withValue(scene, operation: body) }

    private func evaluateTurn() {
        let isNeeded = hasWork
        let wasUnfinished = goesOn
        isFlushing = true
        flushTask?.cancel()
        flushTask = nil
        invalidations.begin()
        tracking.sweepIfDue()
        let last = workPerTurn == .max ? .max : workCount + workPerTurn
        if step != .layout {
            guard evaluateRounds(until: last) else { return endTurn() }
            // An effect may have closed the tree.
            guard !isClosed else { return }
            beginLayout()
        }
        guard layOut(until: last) else { return endTurn() }
        step = .none
        (turnCount, roundCount) = (0, 0)
        lastReportedEvent = lastFlushedEvent
        let changes = collectChanges()
        lastFlush = .now
        isFlushing = false
        let motion = motion
        self.motion = nil
        if !changes.isEmpty || wasUnfinished { onChanges?(changes, motion) }
        // After the report, since observers read the tree, which flushes.
        if isNeeded { wake() }
        invalidations.end(leavesMore: !isClosed && (!isIdle || owesFlush))
    }

    /// Ends a turn that leaves a part of its flush to the next one.
    private func endTurn() {
        turnCount += 1
        isFlushing = false
        invalidations.end(leavesMore: true)
    }

    /// Evaluates the changed components, and those that effects change.
    ///
    /// - Returns: False if some are left to the next turn.
    private func evaluateRounds(until last: Int) -> Bool {
        while roundCount < (turnCount == 0 ? Self.maximumRoundCount : Self.maximumRoundCountOfTurns) || step != .none {
            if step == .none { beginRound() }
            evaluate(until: last)
            step = stack.isEmpty ? .none : .evaluation
            guard step == .none else { return false }
            for dialog in dialogs.values { dialog.updateSystemButton() }
            runCompletions()
            runEffects()
            if isIdle { break }
        }
        return true
    }

    /// Begins a round with the components that have changed.
    private func beginRound() {
        roundCount += 1
        owesFlush = false
        lastFlushedEvent = lastEvent
        let waiting = invalidations.take()
        motion = waiting.motion ?? motion
        stack = waiting.invalidations.compactMap(\.component).sorted { $0.depth > $1.depth }
        for component in stack { component.needsEvaluation = true }
        stack += fresh.reversed()
        fresh = []
    }

    /// Evaluates the components of the round, each followed by the children that it creates, until ``workCount`` reaches `last`.
    private func evaluate(until last: Int) {
        while workCount < last, let component = stack.popLast() {
            guard component.needsEvaluation, component.isMounted else { continue }
            evaluationCount += 1
            workCount += 1
            component.evaluate()
            stack += fresh.reversed()
            fresh = []
        }
    }

    private func runCompletions() {
        while !completions.isEmpty {
            let current = completions.values
            completions = [:]
            for completion in current { completion() }
        }
    }

    private func runEffects() {
        let current = effects
        effects = []
        for effect in current { Evaluation.none(effect) }
    }

    func enqueue(_ component: AnyComponent) {
        guard !component.needsEvaluation else { return }
        component.needsEvaluation = true
        fresh.append(component)
    }

    /// Runs `effect` after the views of this flush are evaluated.
    func afterEvaluation(_ effect: @escaping @MainActor () -> Void) {
        effects.append(effect)
        if !isFlushing, !isClosed { invalidations.request() }
    }

    /// Runs `completion` once for `object` after the bodies of this round are evaluated and before effects.
    func afterRound(of object: AnyObject, _ completion: @escaping @MainActor () -> Void) {
        completions[ObjectIdentifier(object)] = completion
        if !isFlushing, !isClosed { invalidations.request() }
    }

    // MARK: Events

    /// Handles an event of the user. An event for an element that was removed, is hidden or has no handler is ignored.
    ///
    /// - Returns: True if a handler ran.
    @discardableResult
    package func send(_ event: EventName, to id: Int, _ value: EventValue = .none) -> Bool {
        flush()
        guard let element = listeners[id], let handler = element.handlers[event] else { return false }
        // Two quick taps on a link push one page: the second tap finds the link covered. Input and visibility still count.
        guard element.isShown || [.input, .blur, .appear].contains(event) else { return false }
        if event == .input, case .text(let text) = value {
            // The page already shows the text; the binding's value is sent back only where it differs.
            element.pageDidShow(text)
            element.component?.invalidation.invalidate()
        }
        asCurrent { handler(value) }
        flush()
        return true
    }

    /// Calls the actions of all `onOpenURL` modifiers with a URL that opened the app.
    package func open(_ url: URL) {
        flush()
        asCurrent { for opener in openers { opener.action(url) } }
        flush()
    }

    /// Calls `body` after each flush.
    ///
    /// - Returns: A function that ends the calls.
    func afterEachFlush(_ body: @escaping @MainActor () -> Void) -> @MainActor () -> Void {
        lastObserver += 1
        let number = lastObserver
        flushObservers[number] = body
        return { [weak self] in self?.flushObservers[number] = nil }
    }

    private func wake() { for waiter in flushObservers.values { waiter() } }

    // MARK: Elements

    func nextElementNumber() -> UInt32 {
        lastElementNumber += 1
        return lastElementNumber
    }

    /// Counts an element that an evaluation made or compared.
    func countElement() { workCount += 1 }

    /// Registers `element` for events if it has handlers, or removes it.
    func listen(_ element: Element) { listeners[element.id] = element.handlers.isEmpty ? nil : element }

    func forget(_ element: Element) {
        listeners[element.id] = nil
        barScopes[element.id] = nil
        restructured[element.id] = nil
        awaitsLayout.remove(element.id)
    }

    /// Returns the equal style among the recent ones, if there is one, so that rows share its storage.
    func shared(_ style: [StyleRule]) -> [StyleRule] { style.isEmpty ? style : recentStyles.shared(style) }
    func shared(_ attributes: Attributes) -> Attributes {
        // Texts are seldom equal.
        attributes.isEmpty || attributes[.text] != nil ? attributes : recentAttributes.shared(attributes)
    }

    func willChange(_ element: Element, from shown: Element.Shown) {
        self.shown[element.id] = shown
        changed.append(element)
        if !isFlushing, !isClosed { invalidations.request() }
    }

    func structureChanged(_ element: Element) {
        restructured[element.id] = element
        if !isFlushing, !isClosed { invalidations.request() }
    }

    // MARK: Changes

    /// Takes the elements whose structure changed.
    private func beginLayout() {
        step = .layout
        guard !restructured.isEmpty else { return }
        sortBars()
        for element in restructured.values { awaitLayout(element) }
        restructured = [:]
    }

    private func awaitLayout(_ element: Element) {
        guard awaitsLayout.insert(element.id).inserted else { return }
        while layoutLevels.count <= element.depth { layoutLevels.append([]) }
        layoutLevels[element.depth].append(element)
    }

    /// Computes the layout flags where the structure changed, from the leaves up.
    ///
    /// - Returns: False if some are left to the next turn.
    private func layOut(until last: Int) -> Bool {
        var count = 0
        while let deepest = layoutLevels.indices.last {
            guard let element = layoutLevels[deepest].popLast() else {
                layoutLevels.removeLast()
                continue
            }
            guard awaitsLayout.remove(element.id) != nil, element.isMounted else { continue }
            count += 1
            if count % Self.layoutsPerEvaluation == 0 { workCount += 1 }
            let flags = element.computedFlags
            if flags != element.flags {
                element.set(flags)
                element.container.map(awaitLayout)
            }
            if workCount >= last { return false }
        }
        return true
    }

    /// Sorts the items of each bar by their position in the tree.
    private func sortBars() {
        for scopes in barScopes.values where scopes.count > 1 {
            guard zip(scopes, scopes.dropFirst()).contains(where: { !$0.isBefore($1) }) else { continue }
            let bar = scopes[0].bar
            bar.childrenWillChange()
            barScopes[bar.id] = scopes.sorted { $0.isBefore($1) }
        }
    }

    private func collectChanges() -> [Change] {
        var changes: [Change] = []
        for element in changed where element.isMounted { element.collectPatch(into: &changes) }
        for element in changed where element.isMounted { element.collectChildChanges(into: &changes) }
        changed = []
        shown = [:]
        if !root.isOnPage {
            root.putOnPage()
            changes.append(.replaced(root))
        }
        return changes
    }
}

/// The most recent distinct values, so that equal ones can share their storage.
private struct Recent<Value: Equatable> {
    private var values: [Value] = []
    private var next = 0

    mutating func shared(_ value: Value) -> Value {
        if let known = values.first(where: { $0 == value }) { return known }
        if values.count < 16 {
            values.append(value)
        } else {
            values[next] = value
            next = (next + 1) % values.count
        }
        return value
    }
}

extension Element {
    /// The element's own flags, and those of its content that the layout rule passes on.
    fileprivate var computedFlags: LayoutFlags {
        var content: LayoutFlags = []
        forEachPageChild { child in
            if !child.kind.isPresentation, child.kind != .layer, child.kind != .items { content.formUnion(child.flags) }
        }
        return layout.own.union(content.intersection(layout.passes))
    }
}
