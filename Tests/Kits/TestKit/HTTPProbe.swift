package import Foundation

/// An HTTP/1.1 client for tests: one connection per request.
package struct HTTPProbe: Sendable {
    package struct Reply: Sendable {
        package var status: Int
        /// The header fields, by lower-case name.
        package var headers: [String: String]
        package var body: Data

        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    package var port: Int
    package var host = "127.0.0.1"
    /// The value of `Host`; nil for the address of the connection.
    package var authority: String?

    package init(port: Int, host: String = "127.0.0.1", authority: String? = nil) {
        self.port = port
        self.host = host
        self.authority = authority
    }

    package func send(
        _ method: String, _ path: String, headers: [String: String] = [:], body: Data? = nil
    ) async throws -> Reply {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: \(authority ?? "\(host):\(port)")\r\nConnection: close\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        let bytes = Data((head + "\r\n").utf8) + (body ?? Data())
        return try await RawConnection.open(port: port, host: host) { connection in
            try await connection.send(bytes)
            return try await Self.reply(on: connection, to: method)
        }
    }

    /// Reads one reply: by `Content-Length`, by chunks, or to the end of the connection.
    package static func reply(on connection: RawConnection, to method: String = "GET") async throws -> Reply {
        let head = String(decoding: try await connection.read(through: "\r\n\r\n"), as: UTF8.self)
        let lines = head.components(separatedBy: "\r\n")
        let parts = lines[0].split(separator: " ")
        guard parts.count >= 2, let status = Int(parts[1]) else { throw Malformed(head: head) }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() where line.contains(":") {
            let colon = line.firstIndex(of: ":")!
            headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        var body: [UInt8] = []
        if method != "HEAD", status != 204, status != 101 {
            if let length = headers["content-length"].flatMap({ Int($0) }) {
                body = try await connection.read(length)
            } else if headers["transfer-encoding"] == "chunked" {
                while true {
                    let size = String(decoding: try await connection.read(through: "\r\n").dropLast(2), as: UTF8.self)
                    let chunk = try await connection.read(Int(size, radix: 16)! + 2).dropLast(2)
                    if chunk.isEmpty { break }
                    body += chunk
                }
            } else {
                body = try await connection.readToEnd()
            }
        }
        return Reply(status: status, headers: headers, body: Data(body))
    }

    package struct Malformed: Error {
        var head: String
    }
}
