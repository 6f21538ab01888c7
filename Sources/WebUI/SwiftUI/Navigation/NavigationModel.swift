/// The state of a ``NavigationStack``: its pages and their origin.
@MainActor
final class NavigationModel {
    /// A page that a view pushed with `isPresented` or `item`.
    final class Presented {
        let key = UUID()
        var content: @MainActor () -> AnyView
        var dismiss: @MainActor () -> Void
        /// Count of values on the path when the page was pushed.
        let place: Int
        let readers = Readers()

        init(content: @escaping @MainActor () -> AnyView, dismiss: @escaping @MainActor () -> Void, place: Int) {
            self.content = content
            self.dismiss = dismiss
            self.place = place
        }
    }

    /// A declaration of `navigationDestination(for:)`.
    final class Destination {
        var content: @MainActor (AnyHashable) -> AnyView?
        /// The index of the page that contains the declaration; 0 for the root.
        let level: Int
        init(level: Int, content: @escaping @MainActor (AnyHashable) -> AnyView?) {
            self.level = level
            self.content = content
        }
    }

    enum Entry {
        case value(AnyHashable)
        case presented(Presented)
    }

    /// The accessors of the path.
    var values: @MainActor () -> [AnyHashable] = { [] }
    var append: @MainActor (AnyHashable) -> Void = { _ in }
    var truncatePath: @MainActor (Int) -> Void = { _ in }

    private var presented: [Presented] = []
    private let presentedReaders = Readers()
    private var destinations: [ObjectIdentifier: [Destination]] = [:]
    private var destinationReaders: [ObjectIdentifier: Readers] = [:]
    /// The pages from the root up.
    var pages: [PageModel] = []
    /// The label of the back button if the page below has no title.
    var backWord = ""

    /// Returns the pages above the root, in order.
    func entries() -> [Entry] {
        presentedReaders.register()
        var result: [Entry] = []
        var rest = presented[...]
        for (index, value) in values().enumerated() {
            while let next = rest.first, next.place <= index {
                result.append(.presented(next))
                rest.removeFirst()
            }
            result.append(.value(value))
        }
        return result + rest.map(Entry.presented)
    }

    // MARK: Changes

    func present(_ page: Presented) {
        presented.append(page)
        presented.sort { $0.place < $1.place }
        presentedReaders.invalidate()
    }

    func withdraw(_ page: Presented) {
        presented.removeAll { $0 === page }
        presentedReaders.invalidate()
    }

    /// Removes the page at `index` (0 is the root) and all pages above it.
    func pop(to index: Int) {
        let entries = entries()
        guard index >= 1, index <= entries.count else { return }
        let remaining = entries[..<(index - 1)]
        let values = remaining.reduce(0) { count, entry in if case .value = entry { count + 1 } else { count } }
        if values < self.values().count { truncatePath(values) }
        for case .presented(let page) in entries[(index - 1)...] { page.dismiss() }
    }

    // MARK: Destinations

    /// Returns page `number` for `value`, from the lowest page with a destination for the value's type; nil if there is none.
    ///
    /// Declarations on the page itself do not count: a page that declares its own type would render itself forever.
    func destination(for value: AnyHashable, at number: Int) -> AnyView? {
        let type = ObjectIdentifier(Swift.type(of: value.base))
        readers(of: type).register()
        return destinations[type]?.first { $0.level < number }?.content(value)
    }

    func register(_ destination: Destination, for type: ObjectIdentifier) {
        destinations[type, default: []].append(destination)
        destinations[type]?.sort { $0.level < $1.level }
        if destinations[type]?.first === destination { readers(of: type).invalidate() }
    }

    /// Requests another evaluation of the pages of `destination`.
    func update(_ destination: Destination, for type: ObjectIdentifier) {
        if destinations[type]?.first === destination { readers(of: type).invalidate() }
    }

    func unregister(_ destination: Destination, for type: ObjectIdentifier) {
        let wasFirst = destinations[type]?.first === destination
        destinations[type]?.removeAll { $0 === destination }
        if wasFirst { readers(of: type).invalidate() }
    }

    private func readers(of type: ObjectIdentifier) -> Readers {
        if let readers = destinationReaders[type] { return readers }
        let readers = Readers()
        destinationReaders[type] = readers
        return readers
    }

    // MARK: Bars

    /// Updates the back buttons and the covered state of all pages.
    func updateLayout() {
        var large = true
        for (index, page) in pages.enumerated() {
            large = page.update(below: index > 0 ? pages[index - 1] : nil, inheritsLarge: large)
        }
        for page in pages.dropLast() { page.element?.setCovered(true) }
        pages.last?.element?.setCovered(false)
    }
}

private enum NavigationKey: LocalKey { static var defaultValue: NavigationModel? { nil } }

extension EnvironmentValues {
    var navigation: NavigationModel? {
        get { self[NavigationKey.self] }
        set { self[NavigationKey.self] = newValue }
    }
}
