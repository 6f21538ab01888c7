package import Foundation

/// A writer of forms of the media type `multipart/form-data`, as files are uploaded (RFC 7578).
package struct FormWriter: Sendable {
    private let boundary: String
    private var parts = Data()

    package init() {
        // 122 random bits do not occur in the parts.
        boundary = "form-\(UUID().uuidString)"
    }

    package var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// The form with the parts so far.
    package var body: Data { parts + Data("--\(boundary)--\r\n".utf8) }

    /// - Parameter name: A name without quotes, backslashes and line breaks.
    package mutating func add(_ name: String, _ text: String) { add("name=\"\(name)\"", Data(text.utf8)) }

    /// - Parameters: Names and type without quotes, backslashes and line breaks.
    package mutating func add(_ name: String, file content: Data, named filename: String, type: String) {
        add("name=\"\(name)\"; filename=\"\(filename)\"\r\nContent-Type: \(type)", content)
    }

    private mutating func add(_ header: String, _ content: Data) {
        parts.append(contentsOf: "--\(boundary)\r\nContent-Disposition: form-data; \(header)\r\n\r\n".utf8)
        parts.append(content)
        parts.append(contentsOf: "\r\n".utf8)
    }
}
