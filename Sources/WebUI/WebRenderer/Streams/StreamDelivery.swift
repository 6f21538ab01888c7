/// The fate of a stream's chunks when the connection between box and page is lost. The raw value is the word in the protocol.
package enum StreamDelivery: String, Sendable {
    /// Sound and other data of the moment. A chunk that the connection lost is not sent again, and chunks written while there is no connection are
    /// discarded. The reader learns how many are missing.
    case live
    /// Pictures and files. Every chunk arrives once, in order. What the connection lost is sent again on the next one.
    case reliable
}
