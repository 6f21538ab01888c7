/// One vibration of a pattern of ``Sounds/vibrate(_:)``.
package struct Vibration: Hashable, Sendable {
    package var start: Duration
    package var duration: Duration

    package init(start: Duration, duration: Duration) { (self.start, self.duration) = (start, duration) }

    /// Returns the vibrations of a pattern of times: on, off, on…
    package static func all(in pattern: [Duration]) -> [Vibration] {
        var vibrations: [Vibration] = []
        var time = Duration.zero
        for (index, duration) in pattern.enumerated() {
            let duration = max(duration, .zero)
            if index.isMultiple(of: 2), duration > .zero { vibrations.append(Vibration(start: time, duration: duration)) }
            time += duration
        }
        return vibrations
    }
}
