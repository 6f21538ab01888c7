public import DHTRPC

/// A topic: 32 bytes under which peers find each other. Used as the target of lookups as it is.
public typealias DHTTopic = DHTKey
