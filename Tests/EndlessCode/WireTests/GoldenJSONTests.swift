import EndlessCodeWire
import Foundation
import Testing
import WireKit

/// The exact JSON of every message. A change here is visible to peers.
@Suite struct GoldenJSONTests {}
