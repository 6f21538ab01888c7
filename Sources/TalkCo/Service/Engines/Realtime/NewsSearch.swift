import Foundation
import HTTPTypes
import NetworkingKit
import WireKit

/// The tool `search_news`: searches the RSS or Atom address that the operator has set.
struct NewsSearch: Sendable {
    static let name = "search_news"
    private static let maximumResultCount = 5
    /// Maximum length of a query, in characters.
    private static let maximumQueryLength = 200
    private static let timeLimit = Duration.seconds(8)

    /// The address with `{query}`; nil for none.
    private let address: String?
    private let http: any HTTPTransport
    private let clock: any Clock<Duration>

    init(at address: String?, http: any HTTPTransport, clock: any Clock<Duration>) {
        (self.address, self.http, self.clock) = (address, http, clock)
    }

    /// Returns the result of a call, for the model. A failure is a result too, which the model then reports to the learner.
    func answer(_ call: RealtimeCall) async -> String {
        guard call.name == Self.name else { return Self.failure("There is no function \(call.name).") }
        guard let address else { return Self.failure("No news source is set on this server. Say that you cannot look up news.") }
        guard let arguments = try? WireJSON.decode(JSONValue.self, from: Data(call.arguments.utf8)),
            let query = arguments["query"]?.text?.trimmingCharacters(in: .whitespacesAndNewlines), !query.isEmpty
        else { return Self.failure("The argument query is missing.") }
        do {
            let encoded = PercentEncoding.encode(String(query.prefix(Self.maximumQueryLength)))
            guard let url = URL(string: address.replacing("{query}", with: encoded)) else {
                return Self.failure("The news source is not available.")
            }
            var request = try HTTPRequest(
                .get, "", below: url, headers: [.accept: "application/rss+xml, application/atom+xml, */*"])
            let path = request.path.flatMap { $0.isEmpty ? nil : $0 } ?? "/"
            request.path = path + (url.query(percentEncoded: true).map { "?" + $0 } ?? "")
            let reply = try await withTimeout(Self.timeLimit, clock: clock) { [http, request] in
                try await http.send(request, limit: 2_097_152)
            }
            guard reply.head.status.kind == .successful else { return Self.failure("The news source is not available.") }
            let items = NewsFeed.items(in: String(decoding: reply.body, as: UTF8.self)).prefix(Self.maximumResultCount)
            return Self.encode(["results": .array(items.map(\.json))])
        } catch {
            return Self.failure("The news source is not available.")
        }
    }

    private static func failure(_ text: String) -> String { encode(["error": .string(text)]) }

    private static func encode(_ members: [String: JSONValue]) -> String {
        // A JSON value of texts can always be encoded.
        (try? WireJSON.encode(JSONValue.object(members))).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

/// The items of an RSS or Atom feed, by a minimal parser: of XML it knows elements, CDATA and six entities.
enum NewsFeed {
    struct Item: Hashable {
        var title: String
        var published: String?
        var summary: String?

        var json: JSONValue {
            var members: [String: JSONValue] = ["title": .string(title)]
            if let published { members["published"] = .string(published) }
            if let summary, summary != title { members["summary"] = .string(summary) }
            return .object(members)
        }
    }

    /// Maximum length of a text, in characters.
    private static let maximumTextLength = 300
    private static let maximumItemCount = 20

    static func items(in feed: String) -> [Item] {
        let tag = feed.contains("<entry") ? "entry" : "item"
        var items: [Item] = []
        var rest = feed[...]
        while items.count < maximumItemCount, let (block, end) = element(tag, in: rest) {
            if let title = text("title", in: block), !title.isEmpty {
                items.append(
                    Item(
                        title: title,
                        published: text("pubDate", in: block) ?? text("published", in: block) ?? text("updated", in: block),
                        summary: text("description", in: block) ?? text("summary", in: block)))
            }
            rest = rest[end...]
        }
        return items
    }

    /// Returns the content of the first element with the name, and the end of the element; nil for none.
    private static func element(_ name: String, in text: Substring) -> (Substring, String.Index)? {
        var search = text
        while let opening = search.range(of: "<\(name)") {
            guard let close = text[opening.upperBound...].firstIndex(of: ">") else { return nil }
            // The match is the beginning of a longer name.
            if let next = text[opening.upperBound...].first, next != ">", !next.isWhitespace {
                search = text[opening.upperBound...]
                continue
            }
            let content = text.index(after: close)
            guard let closing = text[content...].range(of: "</\(name)>") else { return nil }
            return (text[content..<closing.lowerBound], closing.upperBound)
        }
        return nil
    }

    private static func text(_ name: String, in block: Substring) -> String? {
        guard var text = element(name, in: block).map({ String($0.0) }) else { return nil }
        text = text.replacing("<![CDATA[", with: "").replacing("]]>", with: "")
        // Twice: descriptions contain escaped HTML.
        for _ in 0..<2 {
            for (entity, character) in [
                ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&"),
            ] {
                text = text.replacing(entity, with: character)
            }
            text = text.replacing(/<[^>]*>/, with: " ")
        }
        return String(text.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(maximumTextLength))
    }
}
