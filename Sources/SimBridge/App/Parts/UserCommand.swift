import SimBridgeClient
import ViewKit

typealias UserCommand = ViewKit.UserCommand<BridgeProblem>
