/// Counts the requests that began within the last second. A value without a clock: times are durations since any fixed moment.
struct PushPace {
    private let perSecond: Int
    /// The beginnings within the last second, in order.
    private var begun: [Duration] = []

    init(perSecond: Int) {
        self.perSecond = perSecond
    }

    /// Takes the right to begin up to `count` requests now.
    ///
    /// - Returns: The number of requests, and the pause before there is another right when it is 0.
    mutating func take(_ count: Int, at now: Duration) -> (granted: Int, pause: Duration) {
        begun.removeAll { now - $0 >= .seconds(1) }
        let granted = max(min(count, perSecond - begun.count), 0)
        begun += Array(repeating: now, count: granted)
        return (granted, granted > 0 ? .zero : begun.first.map { $0 + .seconds(1) - now } ?? .seconds(1))
    }

    /// Returns the rights to requests that did not begin.
    mutating func release(_ count: Int) { begun.removeLast(min(count, begun.count)) }
}
