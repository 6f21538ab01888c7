/// Events of a simulation in the order of their time; those of one time in the order of their insertion. A binary heap.
package struct EventQueue<Time: Comparable, Event> {
    private var elements: [(time: Time, order: Int, event: Event)] = []
    private var insertionCount = 0

    package init() {}

    /// The time of the next event.
    package var nextTime: Time? { elements.first?.time }

    package mutating func insert(_ event: Event, at time: Time) {
        elements.append((time, insertionCount, event))
        insertionCount += 1
        var index = elements.count - 1
        while index > 0, isBefore(index, (index - 1) / 2) {
            elements.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    package mutating func removeFirst() -> (time: Time, event: Event)? {
        guard let first = elements.first else { return nil }
        elements.swapAt(0, elements.count - 1)
        elements.removeLast()
        var index = 0
        while true {
            var smallest = index
            for child in [2 * index + 1, 2 * index + 2] where child < elements.count && isBefore(child, smallest) {
                smallest = child
            }
            guard smallest != index else { break }
            elements.swapAt(index, smallest)
            index = smallest
        }
        return (first.time, first.event)
    }

    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        (elements[left].time, elements[left].order) < (elements[right].time, elements[right].order)
    }
}
