package import SimBridgeWire
import StorageKit

// Wire types that columns store by their raw values.

extension NumericID: SQLValue {}
extension RequestID: SQLValue {}
extension Device.Kind: SQLValue {}
extension DeliveryState: SQLValue {}
extension MessageType: SQLValue {}
extension PushContent: SQLValue {}
