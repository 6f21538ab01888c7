/// Work that is wanted again and again, and done once for all who want it while it is under way.
@MainActor
public final class CoalescedWork {
    private var isWanted = false
    package private(set) var isUnderWay = false

    public nonisolated init() {}

    /// Has the work done, without waiting for it. Where it is under way it is done once more: what it has seen may be older than the wish.
    public func want(_ work: @escaping @MainActor () async -> Void) {
        isWanted = true
        guard !isUnderWay else { return }
        isUnderWay = true
        Task {
            while isWanted {
                isWanted = false
                await work()
            }
            isUnderWay = false
        }
    }
}
