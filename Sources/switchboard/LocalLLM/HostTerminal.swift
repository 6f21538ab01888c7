import Foundation
import LocalLLMService
import LocalLLMWire
import QRCode
import WireKit

/// The standard output of a host: a terminal, or a log without QR codes.
final class HostTerminal: Sendable {
    private struct State {
        var showsPhones = true
        /// The last failed announcement, which is reported once.
        var failure: HostNotice?
    }

    private let serverID: ServerID
    private let state = Locked(State())

    init(_ serverID: ServerID) { self.serverID = serverID }

    /// Sets if events of phones are written.
    func setShowsPhones(_ shows: Bool) { state.withLock { $0.showsPhones = shows } }

    /// Writes one row with the time of day.
    func write(_ text: String) {
        let style = Date.ISO8601FormatStyle(timeZone: .current).time(includingFractionalSeconds: false)
        writeBlock("\(Date().formatted(style))  \(text.printableInOneRow)")
    }

    /// Writes rows as they are.
    func writeBlock(_ text: String) {
        // A closed pipe, a closed terminal or a full disk is no reason to stop.
        try? FileHandle.standardOutput.write(contentsOf: Data("\(text)\n".utf8))
    }

    func show(_ notice: HostNotice) {
        let isWanted = state.withLock { state in
            switch notice {
            case .announced: state.failure = nil
            case .announcementFailed:
                defer { state.failure = notice }
                return state.failure != notice
            default: break
            }
            return state.showsPhones || !notice.isAboutPhones
        }
        if isWanted { write(notice.words) }
    }

    // MARK: The Server ID

    func showServerID() { write("Server ID: \(serverID.text)") }

    /// True if standard output is a terminal. Otherwise it may be a log, which would keep an invitation.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Writes the link of an invitation, and on a terminal a QR code that fits: of the link, or of the Server ID without one.
    func showCode(_ invitation: Invitation?) {
        let link = HostLink(serverID, invitation: invitation)
        if invitation != nil { write("Invitation for one new phone, for an hour: \(link.text)") }
        guard Self.isTerminal else { return }
        // The lower correction makes room for the link in the same number of modules.
        let symbol = try? invitation == nil ? QRSymbol(serverID.text) : QRSymbol(link.text, correction: .low)
        guard let symbol else { return }
        let text = symbol.terminalText()
        let rows = text.split(separator: "\n").count
        // A row of text holds two rows of modules, a column of text one column.
        let columns = rows * 2 - 1
        switch TerminalFit(columns: columns, rows: rows + Self.rowsBelow) {
        case .fits: writeBlock(String(text.dropLast()))
        case .tooSmall(let size):
            write(
                "The QR code needs \(columns) columns and \(rows + Self.rowsBelow) rows, and this terminal has \(size). Enlarge it and type 'qr', or paste the \(invitation == nil ? "Server ID" : "link")."
            )
        case .unable:
            write("This terminal cannot show a QR code. Paste the \(invitation == nil ? "Server ID" : "link") in the app.")
        }
    }

    /// The rows for the models, the announcement and the cursor.
    private static let rowsBelow = 3
}

extension HostNotice {
    /// True for notices that `logs off` hides.
    fileprivate var isAboutPhones: Bool {
        switch self {
        case .phoneConnected, .phoneDisconnected, .phoneRefused, .phoneStalled, .phoneDisplaced, .approvalAbandoned,
            .generationStarted,
            .generationFinished, .generationFailed, .turnsOmitted, .answerUnseen:
            true
        default: false
        }
    }
}
