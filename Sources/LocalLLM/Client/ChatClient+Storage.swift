import ClientKit
import Foundation
import LocalLLMWire
import PlatformKit

extension ChatClient {
    enum Key: String { case hosts, trust }

    /// Minimum time between two transactions while an answer arrives.
    private static let saveInterval = Duration.seconds(1)

    // MARK: Conversations

    /// A conversation as the phone stores it. Its exchanges are values of their own, so that a piece of an answer writes only one of them.
    private struct SavedConversation: Codable {
        var exchanges: [String]
        var draft: String
        var model: String?
    }

    /// Returns the transcript with a host; the same object each time.
    func conversation(with host: ServerID) -> Conversation {
        if let known = conversations[host.text] { return known }
        let conversation = Conversation(host: host)
        if let stored: SavedConversation = saved.value(for: Self.key(of: host)) {
            (conversation.draft, conversation.model) = (stored.draft, stored.model)
            conversation.exchanges = stored.exchanges.compactMap { id in
                saved.value(Exchange.Saved.self, for: Self.key(ofExchange: id)).flatMap(Exchange.init)
            }
        }
        conversations[host.text] = conversation
        return conversation
    }

    func forgetConversation(with host: ServerID) {
        let conversation = conversation(with: host)
        remove(conversation.exchanges)
        conversation.exchanges = []
        conversations[host.text] = nil
        saved.set(Bool?.none, for: Self.key(of: host))
        saveSoon()
    }

    private static func key(of host: ServerID) -> String { "conversation \(host.text)" }
    private static func key(ofExchange id: String) -> String { "exchange \(id)" }

    /// Notes a change of a conversation, its draft included.
    func didChange(_ conversation: Conversation) {
        remove(conversation.trim())
        saved.set(
            SavedConversation(exchanges: conversation.exchanges.map(\.id), draft: conversation.draft, model: conversation.model),
            for: Self.key(of: conversation.host))
        saveSoon()
    }

    /// Notes a change of an exchange. It is encoded when it is saved.
    func didChange(_ exchange: Exchange) {
        unsaved[exchange.id] = exchange
        saveSoon()
    }

    func remove(_ exchanges: some Sequence<Exchange>) {
        for exchange in exchanges {
            unsaved[exchange.id] = nil
            saved.set(Bool?.none, for: Self.key(ofExchange: exchange.id))
        }
    }

    // MARK: Database

    func set(_ value: some Encodable, for key: Key) {
        saved.set(value, for: key.rawValue)
        saveSoon()
    }

    /// Saves all changes within ``saveInterval``.
    func saveSoon() {
        tasks.request("save") {
            await self.save()
            try? await self.phone.clock.sleep(for: Self.saveInterval)
        }
    }

    /// Saves all changes before it returns. A write that fails is repeated with the next one.
    func save() async {
        for exchange in unsaved.values { saved.set(exchange.saved, for: Self.key(ofExchange: exchange.id)) }
        unsaved = [:]
        let wasFailing = isStorageFailing
        if let error = await host.save(), !wasFailing { note("not saved: \(error)") }
    }
}
