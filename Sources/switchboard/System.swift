import Foundation
import Logging
import Pager2077Service
import ServerKit
import SimBridgeService

/// The systems that this box can serve. The one place that knows them all.
enum System: String, CaseIterable {
    case pager2077, simbridge

    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// Its port when it is served alone.
    var standardPort: Int {
        switch self {
        case .pager2077: PagerService.standardPort
        case .simbridge: SimBridgeService.standardPort
        }
    }

    /// What its settings' names begin with in a box of several systems.
    var prefix: String { "\(rawValue.uppercased())_" }

    /// Names without the prefix, and what each means.
    var settings: [(name: String, meaning: String)] {
        switch self {
        case .pager2077: PagerConfiguration.settings
        case .simbridge: SimBridgeConfiguration.settings
        }
    }

    /// - Parameter isAlone: Whether it is the only system of the box.
    func build(_ settings: Settings, dataFolder: URL, isAlone: Bool, metrics: MetricsRegistry, logger: Logger) async throws
        -> ServiceParts
    {
        switch self {
        case .pager2077:
            try await PagerService.build(
                PagerConfiguration(settings, dataFolder: dataFolder), metrics: metrics, logger: logger)
        case .simbridge:
            try await SimBridgeService.build(
                SimBridgeConfiguration(settings, dataFolder: dataFolder, isAlone: isAlone), fetch: Documents().get,
                metrics: metrics,
                logger: logger)
        }
    }
}
