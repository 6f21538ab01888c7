/// The treatment of a stream's chunks when the connection between box and page is lost. The raw value is the word in the protocol.
package enum StreamDelivery: String, Sendable {
    /// For sound and other data in real time. Lost chunks are not sent again, and chunks written while there is no connection are
    /// discarded. The reader learns the count of missing chunks.
    case live
    /// For pictures and files. Every chunk arrives once, in order. Lost chunks are sent again on the next connection.
    case reliable
}
