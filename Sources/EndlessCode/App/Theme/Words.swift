import EndlessCodeClient
import EndlessCodeWire
import SwiftUI
import ViewKit

// Types of the client are not isolated.
@MainActor
extension CodeProblem {
    /// The sentence that says what happened and what to do.
    var words: Text {
        switch self {
        case .storage: Text("This phone could not store it. Free some space, and try again.", bundle: .module)
        case .outboxFull: Text("Too many messages are waiting. Connect to the server first.", bundle: .module)
        case .camera: Text("There is no camera that this app can use. Paste the text of the QR code instead.", bundle: .module)
        case .clipboard: Text("This couldn’t be copied. Hold your finger on the text, and copy it there.", bundle: .module)
        case .promptTooLong: Text("The message is too long. Shorten it to 256 KB.", bundle: .module)
        case .invalidAnswer: Text("The question does not allow this answer.", bundle: .module)
        case .expired: Text("The message was too old to be sent.", bundle: .module)
        case .elsewhere: Text("This belongs to another server.", bundle: .module)
        case .noServer: Text("Add a server in the settings first.", bundle: .module)
        case .address(let error): error.words
        case .link(let error): error.words
        case .invalidToken: Text("This is not a token. Copy it again from the server’s terminal.", bundle: .module)
        case .notAllowed(let address): address.refusalWords
        default: connectionWords
        }
    }

    private var connectionWords: Text {
        switch self {
        case .notConnected: Text("There is no connection to the server.", bundle: .module)
        case .localNetworkDenied: .localNetworkDenied
        case .network: Text("The server cannot be reached. Check its address, and that it is running.", bundle: .module)
        case .timeout: Text("The server did not answer in time. Try again.", bundle: .module)
        case .tls: Text("No secure connection could be made.", bundle: .module)
        case .certificateChanged: Text("The server has another certificate than before. Nothing was sent.", bundle: .module)
        case .tokenMissing: Text("The server needs a token.", bundle: .module)
        case .tokenRefused: Text("The server refused the token. Scan its QR code again.", bundle: .module)
        case .notAServer: Text("There is another program at this address, not EndlessCode.", bundle: .module)
        case .server(let code, let message): code.words ?? Text(verbatim: message)
        default: Text("Something went wrong. Try again.", bundle: .module)
        }
    }
}

@MainActor
extension ErrorCode {
    /// The words for a person; nil for a code whose message says more.
    var words: Text? {
        switch self {
        case .sessionLimit: Text("Five agents are running already. Pause or end another session first.", bundle: .module)
        case .agentNotFound: Text("The agent’s program was not found on the server.", bundle: .module)
        case .agentCrashed: Text("The agent ended unexpectedly.", bundle: .module)
        case .agentSilent: Text("The agent has been silent for 30 seconds.", bundle: .module)
        case .parseError: Text("A line of the agent could not be read.", bundle: .module)
        case .sessionNotActive: Text("Resume the session first.", bundle: .module)
        case .sessionNotFound: Text("The server does not have this session.", bundle: .module)
        case .projectNotFound: Text("The server does not have this project.", bundle: .module)
        case .fileNotFound: Text("The file does not exist any more.", bundle: .module)
        case .fileTooLarge: Text("The file is too large.", bundle: .module)
        case .pathForbidden: Text("The path leads out of the project.", bundle: .module)
        case .storageFull: Text("The server’s disk is full. Free some space on it, and try again.", bundle: .module)
        case .queueFull: Text("Too many messages wait for the agent. Send it again later.", bundle: .module)
        case .promptClosed: Text("The question was answered or closed before.", bundle: .module)
        case .authFailed, .tokenExpired: Text("The server refused the token. Scan its QR code again.", bundle: .module)
        default: nil
        }
    }
}

@MainActor
extension ServerAddressError {
    var words: Text {
        switch self {
        case .empty: Text("Enter an address.", bundle: .module)
        case .invalidScheme: Text("The address must begin with http or https.", bundle: .module)
        case .invalidHost: Text("This is neither an IP address nor a host name.", bundle: .module)
        case .invalidPort: Text("The port must be a number from 1 to 65535.", bundle: .module)
        case .invalidPath: Text("The path of the address has characters that it cannot have.", bundle: .module)
        case .containsUser: Text("The address cannot have a user name.", bundle: .module)
        }
    }
}

@MainActor
extension ServerAddress {
    /// The refusal of a box that its operator has to allow an address, with the commands to do so.
    fileprivate var refusalWords: Text {
        Text(
            "This box does not connect to \(text) yet. Whoever runs it can allow it now, with “switchboard endlesscode allow \(text)”, or at the next start, with “switchboard serve --allow-server \(text)”.",
            bundle: .module)
    }
}

@MainActor
extension ServerLinkError {
    var words: Text {
        switch self {
        case .notALink: Text("This is not the QR code of an EndlessCode server.", bundle: .module)
        case .address(let error): error.words
        case .tokenMissing: Text("The QR code has no token.", bundle: .module)
        case .invalidToken: Text("The token of the QR code is damaged.", bundle: .module)
        case .invalidFingerprint: Text("The fingerprint of the QR code is damaged.", bundle: .module)
        }
    }
}

@MainActor
extension ConnectionHold {
    /// - Parameter problem: The failure of the last attempt.
    func words(after problem: CodeProblem?) -> Text {
        switch self {
        case .cellular: Text("There is no Wi-Fi. Connecting uses cellular data.", bundle: .module)
        case .cellularDeclined: Text("Not connected, to save cellular data.", bundle: .module)
        case .certificate: Text("Compare the server’s certificate before the first connection.", bundle: .module)
        case .certificateDeclined: Text("Not connected: the certificate was not confirmed.", bundle: .module)
        case .certificateChanged: Text("The server has another certificate than before. Nothing was sent.", bundle: .module)
        case .plainHTTP: Text("The connection to this server is not encrypted.", bundle: .module)
        case .plainHTTPDeclined: Text("Not connected: the connection would not be encrypted.", bundle: .module)
        case .tokenMissing: Text("The server needs a token.", bundle: .module)
        case .tokenRefused: Text("The server refused the token. Scan its QR code again.", bundle: .module)
        case .notAllowed(let address): address.refusalWords
        case .gaveUp: problem?.words ?? Text("The server cannot be reached.", bundle: .module)
        }
    }
}

extension NoticeWords {
    /// The words of notifications in the language of the phone. They are no `Text`, because a notification shows them.
    @MainActor init(_ locale: Locale) {
        let language = locale.language.languageCode?.identifier ?? "en"
        let folder = ["\(language).lproj", "en.lproj"].lazy.compactMap { Bundle.module.url(forResource: $0, withExtension: nil) }
            .first
        let bundle = folder.flatMap { Bundle(url: $0) } ?? .module
        func word(_ key: String) -> String { bundle.localizedString(forKey: key, value: key, table: nil) }
        self.init(
            asks: word("The agent is waiting for your answer"), asksPermission: word("The agent asks for permission"),
            finished: word("The agent has finished"), failed: word("The agent has stopped with an error"),
            language: language == "ko" ? "ko" : "en")
    }
}
