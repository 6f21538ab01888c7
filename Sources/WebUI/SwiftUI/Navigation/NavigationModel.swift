/// What one ``NavigationStack`` shows, and where its pages come from.
@MainActor
final class NavigationModel {
    /// A page that a view further down put on the stack with `isPresented` or `item`.
    final class Presented {
        let key = UUID()
        var content: @MainActor () -> AnyView
        var dismiss: @MainActor () -> Void
        /// How many values were on the path when it came.
        let place: Int
        let readers = Readers()

        init(content: @escaping @MainActor () -> AnyView, dismiss: @escaping @MainActor () -> Void, place: Int) {
            self.content = content
            self.dismiss = dismiss
            self.place = place
        }
    }

    /// What a view declared with `navigationDestination(for:)`.
    final class Destination {
        var content: @MainActor (AnyHashable) -> AnyView?
        /// The number of the page that the view is on.
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

    /// Reads and changes the values of the path.
    var values: @MainActor () -> [AnyHashable] = { [] }
    var append: @MainActor (AnyHashable) -> Void = { _ in }
    var keepFirst: @MainActor (Int) -> Void = { _ in }

    private var presented: [Presented] = []
    private let presentedReaders = Readers()
    private var destinations: [ObjectIdentifier: [Destination]] = [:]
    private var destinationReaders: [ObjectIdentifier: Readers] = [:]
    /// From the bottom up.
    var pages: [PageModel] = []
    /// What the way back says where the page below has no title.
    var backWord = ""

    /// The pages above the root, from the bottom up.
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

    /// Takes the page at `index` (0 is the root) and all above it off the stack.
    func pop(to index: Int) {
        let entries = entries()
        guard index >= 1, index <= entries.count else { return }
        let remaining = entries[..<(index - 1)]
        let values = remaining.reduce(0) { count, entry in if case .value = entry { count + 1 } else { count } }
        if values < self.values().count { keepFirst(values) }
        for case .presented(let page) in entries[(index - 1)...] { page.dismiss() }
    }

    // MARK: Destinations

    /// The page `number` for `value`, from the first view further down in the stack that declared one for its type.
    ///
    /// Not from a view on the page itself, which may declare pages like itself: it would render itself for ever.
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

    /// Says that `destination` makes its pages differently now, if it makes any.
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

    /// Says of each page what is below it, and which are covered.
    func settle() {
        var large = true
        for (index, page) in pages.enumerated() {
            large = page.settle(below: index > 0 ? pages[index - 1] : nil, inheritsLarge: large)
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
