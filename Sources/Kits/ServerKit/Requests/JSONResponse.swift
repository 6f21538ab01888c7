package import HTTPTypes
package import Hummingbird
import NIOCore
import WireKit

extension HTTPResponse.Status {
    /// 507: the disk is full, and nothing was stored.
    package static let insufficientStorage = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
}

extension Response {
    /// Returns a JSON reply, encoded with the settings of `WireJSON`.
    package static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) throws
        -> Response
    {
        let data = try WireJSON.encode(value)
        var fields = headers
        fields[.contentType] = "application/json; charset=utf-8"
        fields[.contentLength] = "\(data.count)"
        return Response(status: status, headers: fields, body: .init(byteBuffer: ByteBuffer(bytes: data)))
    }

    /// Returns a plain-text reply.
    static func text(_ text: String, status: HTTPResponse.Status = .ok, contentType: String = "text/plain; charset=utf-8")
        -> Response
    {
        Response(
            status: status, headers: [.contentType: contentType, .contentLength: "\(text.utf8.count)"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}
