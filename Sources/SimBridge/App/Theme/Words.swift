import SimBridgeClient
import SimBridgeWire
import SwiftUI

/// The other end of a conversation or a call.
@MainActor
func contact(_ number: String) -> Text {
    number.isEmpty ? Text("Unknown number", bundle: .module) : Text(verbatim: number)
}

extension NoticeWords {
    /// Notifications are no views: their words come from the tables directly.
    @MainActor
    init(_ locale: Locale) {
        let language = locale.language.languageCode?.identifier ?? "en"
        let folder = ["\(language).lproj", "en.lproj"].lazy.compactMap { Bundle.module.url(forResource: $0, withExtension: nil) }
            .first
        let table = folder.flatMap { Bundle(url: $0) } ?? .module
        func word(_ key: String) -> String { table.localizedString(forKey: key, value: key, table: nil) }
        self.init(text: word("New message"), call: word("Incoming call"), missed: word("Missed call"))
    }
}

extension CallRecord {
    @MainActor var words: Text {
        switch outcome {
        case .queued: Text("Waiting for the host", bundle: .module)
        case .underWay: isIncoming ? Text("Incoming call", bundle: .module) : Text("Outgoing call", bundle: .module)
        case .answered(let seconds):
            (isIncoming ? Text("Incoming call", bundle: .module) : Text("Outgoing call", bundle: .module))
                + Text(verbatim: seconds.map { ", " + callLength($0) } ?? "")
        case .missed: Text("Missed call", bundle: .module)
        case .declined: Text("Declined call", bundle: .module)
        case .unanswered: Text("No answer", bundle: .module)
        case .expired: Text("Not dialed: it did not reach the host in time", bundle: .module)
        case .failed(let reason?): Text("Call failed: \(reason)", bundle: .module)
        case .failed(nil): Text("Call failed", bundle: .module)
        case .unknown: Text("Outgoing call, not known whether it was placed", bundle: .module)
        }
    }
}

// Errors belong to no actor unless they say so.
@MainActor
extension BridgeProblem {
    /// For a person.
    var words: Text {
        switch self {
        case .address(.empty): Text("Type the address of the relay.", bundle: .module)
        case .address(.malformed): Text("This is not the address of a server.", bundle: .module)
        case .address(.notAllowed(let url)): Self.notAllowed(url.absoluteString)
        case .network: Text("The relay cannot be reached. Check the address and the network.", bundle: .module)
        case .timeout: Text("The relay did not answer in time.", bundle: .module)
        case .notARelay: Text("There is a server, but it is not a SimBridge relay.", bundle: .module)
        case .invalidCredentials: Text("Wrong username or password.", bundle: .module)
        case .usernameTaken: Text("This username is taken.", bundle: .module)
        case .sessionExpired: Text("Your session has ended. Log in again.", bundle: .module)
        case .tooManyAttempts(let seconds?): Text("Too many attempts. Try again in \(seconds) seconds.", bundle: .module)
        case .tooManyAttempts(nil): Text("Too many attempts. Try again in a minute.", bundle: .module)
        default: furtherWords
        }
    }

    private static func notAllowed(_ url: String) -> Text {
        Text("This box does not connect to \(url). Whoever runs it can allow that with --allow-server.", bundle: .module)
    }

    private var furtherWords: Text {
        switch self {
        case .passwordTooShort: Text("The password is too short: use at least 8 characters.", bundle: .module)
        case .passwordTooLong: Text("The password is too long.", bundle: .module)
        case .passwordCommon: Text("This password is one of the first that others try. Choose another.", bundle: .module)
        case .wrongPassword: Text("The current password is wrong.", bundle: .module)
        case .registrationClosed: Text("This relay takes no new accounts. Ask whoever runs it.", bundle: .module)
        case .tooLate: Text("Not done: the connection was too slow. Try again.", bundle: .module)
        case .malformedCode: Text("The code has six digits.", bundle: .module)
        case .wrongCode: Text("Invalid or expired code. Get a new one on the host.", bundle: .module)
        case .foreignCode: Text("This code belongs to a host of another account.", bundle: .module)
        case .notPaired: Text("This phone is not paired with the host any more.", bundle: .module)
        case .noHost: Text("There is no host to pair with.", bundle: .module)
        case .number(.empty): Text("Type a phone number.", bundle: .module)
        case .number(.invalidCharacters): Text("This is not a phone number.", bundle: .module)
        case .number(.tooLong): Text("The phone number is too long.", bundle: .module)
        case .textEmpty: Text("Type a message.", bundle: .module)
        case .textTooLong: Text("The message is longer than 1600 characters.", bundle: .module)
        case .notConnected: Text("Not connected to the relay.", bundle: .module)
        case .hostOffline: Text("The host is offline.", bundle: .module)
        case .expired: Text("It waited too long.", bundle: .module)
        case .full: Text("Too much is waiting to be sent.", bundle: .module)
        case .storage: Text("This phone could not keep it.", bundle: .module)
        case .notRecognised: Text("You were not recognised.", bundle: .module)
        case .cannotRecognise: Text("This phone cannot recognise you.", bundle: .module)
        case .relay(let sentence), .unavailable(let sentence): Text(verbatim: sentence)
        default: Text("Something went wrong.", bundle: .module)
        }
    }
}

extension TextMessage.Failure {
    var words: Text {
        switch self {
        case .refused(let problem): problem.words
        case .host(let reason?): Text("Not sent: \(reason)", bundle: .module)
        case .host(nil): Text("Not sent", bundle: .module)
        case .expired: Text("Not sent: the host did not come in time", bundle: .module)
        }
    }
}

extension PhoneCall.State {
    var words: Text {
        switch self {
        case .requested: Text("Asking the host…", bundle: .module)
        case .queued: Text("Waiting for the host", bundle: .module)
        case .dialing: Text("Dialing…", bundle: .module)
        case .ringing: Text("Ringing…", bundle: .module)
        case .active: Text("Active", bundle: .module)
        case .ended: Text("Ended", bundle: .module)
        case .expired: Text("Not dialed: it did not reach the host in time", bundle: .module)
        case .failed(let reason?): Text("Failed: \(reason)", bundle: .module)
        case .failed(nil): Text("Failed", bundle: .module)
        }
    }
}

extension PhoneEvent.CallState {
    /// Of a call that is not named.
    var sentence: Text {
        switch self {
        case .dialing: Text("Dialing…", bundle: .module)
        case .ringing: Text("Ringing…", bundle: .module)
        case .active: Text("Call answered", bundle: .module)
        case .ended: Text("Call ended", bundle: .module)
        case .error: Text("Call failed", bundle: .module)
        }
    }
}

extension PhoneEvent.SendStatus {
    var words: Text {
        switch self {
        case .ok: Text("Text sent", bundle: .module)
        case .error: Text("Text not sent", bundle: .module)
        case .unknown: Text("Text perhaps sent", bundle: .module)
        }
    }
}

extension DeliveryState {
    var words: Text {
        switch self {
        case .accepted: Text("Kept by the relay", bundle: .module)
        case .sent: Text("Handed over", bundle: .module)
        case .confirmed: Text("Confirmed", bundle: .module)
        case .failed: Text("Failed", bundle: .module)
        case .expired: Text("Expired", bundle: .module)
        case .unknown: Text("Not known", bundle: .module)
        }
    }
}

extension HistorySummary.Badge {
    var words: Text {
        switch self {
        case .text: Text("SMS", bundle: .module)
        case .call: Text("Call", bundle: .module)
        case .sim: Text("SIM", bundle: .module)
        case .host: Text("Host", bundle: .module)
        case .other: Text("Other", bundle: .module)
        }
    }
}

extension HistorySummary {
    /// What it is about, on one line.
    var title: Text {
        switch content {
        case .text(let number, _), .dialed(let number), .incomingCall(let number): Text(verbatim: number)
        case .textSent(let status, let number, _): number.map { Text(verbatim: $0) } ?? status.words
        case .callState(let state, let number, _): number.map { Text(verbatim: $0) } ?? state.sentence
        case .hungUp: Text("Hang up", bundle: .module)
        case .simsAsked: Text("SIM cards asked for", bundle: .module)
        case .sims: Text("SIM cards", bundle: .module)
        case .error: Text("Error", bundle: .module)
        case .hostOffline: Text("Host went offline", bundle: .module)
        case .other(let name): Text(verbatim: name)
        }
    }

    /// What else there is to say; nil: nothing.
    var detail: Text? {
        switch content {
        case .text(_, let body): Text(verbatim: body)
        case .textSent(.error, _?, let reason?): Text("Text not sent: \(reason)", bundle: .module)
        case .textSent(let status, _?, _): status.words
        case .textSent(_, nil, let reason): reason.map { Text(verbatim: $0) }
        case .callState(.error, _?, let reason?): Text("Call failed: \(reason)", bundle: .module)
        case .callState(let state, _?, _): state.sentence
        case .callState(_, nil, let reason): reason.map { Text(verbatim: $0) }
        case .dialed: Text("Outgoing call", bundle: .module)
        case .incomingCall: Text("Incoming call", bundle: .module)
        case .sims(let sims): Text(verbatim: sims.map { "SIM \($0.slot): \($0.carrier)" }.joined(separator: ", "))
        case .error(let reason): reason.map { Text(verbatim: $0) }
        default: nil
        }
    }
}
