import Foundation
package import WireKit

extension ServerAddress {
    /// Parses the address of a server that an iPhone app calls.
    ///
    /// - Throws: ``ServerAddressError``, `unencrypted` included.
    package init(forPhone text: String) throws(ServerAddressError) {
        try self.init(text)
        guard scheme == .https || isIPAddressOrLocalName else { throw .unencrypted }
        guard text.percentEncodedFileName.utf8.count <= 255 else { throw .invalidPath }
    }

    /// True for a plain `http` address outside the local network: others can read and change the traffic.
    package var isExposed: Bool {
        guard scheme == .http, case .ip(let address) = host else { return false }
        return !address.isLoopback && !address.isLinkLocal && !address.isPrivate
    }

    /// True for an IP address, and for a name that only this phone or the local network knows.
    private var isIPAddressOrLocalName: Bool {
        if case .name(let name) = host { !name.contains(".") || name.hasSuffix(".local") } else { true }
    }
}

extension String {
    /// The text as the name of a file.
    var percentEncodedFileName: String {
        let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
        return addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}
