import CoreMetrics

/// The metrics of one system's outbox.
struct PushMetrics: Sendable {
    let system: String
    let factory: any MetricsFactory

    /// Counts one request by its result.
    func record(_ result: PushResult, by channel: PushChannel) {
        let name =
            switch result {
            case .accepted(let receipt): receipt.isPretended ? "pretended" : "accepted"
            case .dead: "dead"
            case .retry: "retry"
            case .refused: "refused"
            case .misconfigured: "misconfigured"
            }
        Counter(
            label: "push_requests_total",
            dimensions: [
                ("system", system), ("channel", channel.rawValue), ("result", name), ("reason", result.reason?.rawValue ?? ""),
            ], factory: factory
        ).increment()
    }

    /// Counts one entry by its end.
    func record(_ state: PushState, _ reason: PushReason?) {
        switch state {
        case .waiting, .active: return
        case .completed, .failed, .expired, .withdrawn, .unreachable: break
        }
        Counter(
            label: "push_entries_total",
            dimensions: [("system", system), ("state", state.rawValue), ("reason", reason?.rawValue ?? "")], factory: factory
        ).increment()
    }

    /// Records the depth of the queue.
    func record(_ counts: [PushState: Int]) {
        for state in [PushState.waiting, .active] {
            Gauge(label: "push_entries", dimensions: [("system", system), ("state", state.rawValue)], factory: factory)
                .record(counts[state] ?? 0)
        }
    }
}
