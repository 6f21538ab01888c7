/// Work that is wanted again and again, and done once for all who want it while it is under way.
@MainActor
public final class CoalescedWork {
    private var wanted: (@MainActor () async -> Void)?
    private var underWay: Task<Void, Never>?
    package var isUnderWay: Bool { underWay != nil }

    public nonisolated init() {}

    /// Has the work done, without waiting for it. Where it is under way it is done once more: what it has seen may be older than the wish.
    public func want(_ work: @escaping @MainActor () async -> Void) {
        wanted = work
        guard !isUnderWay else { return }
        underWay = Task {
            while let work = wanted {
                wanted = nil
                await work()
            }
            underWay = nil
        }
    }
}
