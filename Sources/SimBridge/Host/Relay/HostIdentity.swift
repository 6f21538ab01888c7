package import Foundation
package import SimBridgeWire
import WireKit

/// The host's login at its relay, stored in a file that only its owner can read.
package struct HostIdentity: Codable, Hashable, Sendable {
    /// The relay's base URL.
    package var relay: String
    package var username: String
    package var token: String
    package var deviceID: Device.ID
    package var deviceName: String
    /// True if a client is paired, so that a code is shown only on request.
    package var isPaired: Bool

    package init(
        relay: String, username: String, token: String, deviceID: Device.ID, deviceName: String, isPaired: Bool = false
    ) {
        (self.relay, self.username, self.token) = (relay, username, token)
        (self.deviceID, self.deviceName, self.isPaired) = (deviceID, deviceName, isPaired)
    }

    /// The key of the line's cursor in the journal.
    var line: String { "\(relay)#\(deviceID)" }
}

/// The file of a ``HostIdentity``, mode 0600.
package struct IdentityFile: Sendable {
    /// Maximum size of the file, in bytes.
    private static let maximumSize = 65_536
    let url: URL

    package init(_ url: URL) { self.url = url }

    /// - Returns: nil if there is no file.
    /// - Throws: ``DataFolderProblem``.
    package func load() throws -> HostIdentity? {
        do {
            return try WireJSON.decode(HostIdentity.self, from: OwnFile.contents(of: url.path, limit: Self.maximumSize))
        } catch let failure as OwnFile.Failure where failure.isAbsence {
            return nil
        } catch is DecodingError, is WireJSONError {
            throw DataFolderProblem("\(url.path) is damaged. Delete it to log in anew; the pairing has to be made again then.")
        } catch {
            throw DataFolderProblem("Cannot read \(url.path): \(error)")
        }
    }

    /// Replaces the file atomically: a crash leaves the old one or the new one.
    ///
    /// - Throws: ``DataFolderProblem``.
    package func save(_ identity: HostIdentity) throws {
        do {
            try OwnFile.replace(url.path, with: WireJSON.encode(identity))
        } catch {
            throw DataFolderProblem("Cannot write \(url.path): \(error)")
        }
    }

    /// Removes the file, if there is one.
    ///
    /// - Throws: ``DataFolderProblem``.
    package func remove() throws {
        do {
            try FileManager.default.removeItem(at: url)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return
        } catch {
            throw DataFolderProblem("Cannot remove \(url.path): \(error)")
        }
    }
}

/// The reason why the data folder cannot be used, in one line for the operator.
package struct DataFolderProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
    package init(_ description: String) { self.description = description }
}
