/// A limit of the requests that begin within a second. It has no clock: times are durations since any fixed moment.
struct PushPace {
    private let perSecond: Int
    /// The start times of the requests within the last second, in order.
    private var begun: [Duration] = []

    init(perSecond: Int) {
        self.perSecond = perSecond
    }

    /// Grants up to `count` requests, which begin now.
    ///
    /// - Returns: The count of requests; if it is 0, also the pause before the next request.
    mutating func take(_ count: Int, at now: Duration) -> (granted: Int, pause: Duration) {
        begun.removeAll { now - $0 >= .seconds(1) }
        let granted = max(min(count, perSecond - begun.count), 0)
        begun += Array(repeating: now, count: granted)
        return (granted, granted > 0 ? .zero : begun.first.map { $0 + .seconds(1) - now } ?? .seconds(1))
    }

    /// Takes back the grants of requests that did not begin.
    mutating func release(_ count: Int) { begun.removeLast(min(count, begun.count)) }
}
