/// The limit on hole punches through networks with random ports: one at a time, 20 seconds apart.
///
/// Each such hole punch sends thousands of datagrams and fills address translation tables on the way.
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.11.3.
struct RandomPunchGate: Sendable {
    static let interval = Duration.seconds(20)
    /// Maximum duration of a run, after which the next one may begin even without ``end()``.
    static let maximumRunTime = HolePuncher.birthdayInterval * HolePuncher.birthdayRepetitions

    private var lastStart: Duration?
    private var isRunning = false

    /// Begins a run. False while another run is in progress, and within ``interval`` after the start of the last run.
    mutating func begin(now: Duration) -> Bool {
        if let lastStart, now < lastStart + (isRunning ? RandomPunchGate.maximumRunTime : RandomPunchGate.interval) { return false }
        lastStart = now
        isRunning = true
        return true
    }

    mutating func end() {
        isRunning = false
    }
}
