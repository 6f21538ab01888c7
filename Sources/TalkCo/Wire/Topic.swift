public import WireKit

/// A subject of conversation, as returned by `GET /topics`.
public struct Topic: Codable, Hashable, Sendable, Identifiable {
    public typealias ID = Identifier<Topic>

    public var id: ID
    public var labelEn: String
    /// The name in Traditional Chinese.
    public var labelZh: String
    /// The part of the tutor's instructions about this topic, in English.
    public var promptHint: String

    public init(id: ID, labelEn: String, labelZh: String, promptHint: String) {
        self.id = id
        self.labelEn = labelEn
        self.labelZh = labelZh
        self.promptHint = promptHint
    }

    private enum CodingKeys: String, CodingKey {
        case id
        case labelEn = "label_en"
        case labelZh = "label_zh"
        case promptHint = "prompt_hint"
    }
}

extension Topic {
    /// The six topics, in the order of the contract.
    public static let all: [Topic] = [
        Topic(
            id: ID("daily_life"), labelEn: "Daily life", labelZh: "日常生活",
            promptHint: "Everyday routines: home, family, friends, weekends, errands, habits and small plans."),
        Topic(
            id: ID("travel"), labelEn: "Travel", labelZh: "旅遊",
            promptHint: "Trips taken and planned: airports, hotels, directions, sights, mishaps and recommendations."),
        Topic(
            id: ID("workplace"), labelEn: "Workplace", labelZh: "職場",
            promptHint: "Work: the job, colleagues, meetings, deadlines, interviews, e-mails and polite requests."),
        Topic(
            id: ID("food_dining"), labelEn: "Food and dining", labelZh: "美食",
            promptHint: "Food: favourite dishes, cooking, ordering in restaurants, night markets, tastes and diets."),
        Topic(
            id: ID("entertainment"), labelEn: "Entertainment", labelZh: "娛樂",
            promptHint: "Films, series, music, games, books, sports and concerts: opinions, plots and recommendations."),
        Topic(
            id: ID("current_events"), labelEn: "Current events", labelZh: "時事",
            promptHint: "News and public life: what happened, what the learner thinks of it, and why. Stay neutral and kind."),
    ]

    /// Returns the topic with the identifier; nil for an unknown identifier.
    public static func known(_ id: ID) -> Topic? { all.first { $0.id == id } }

    /// The name of the symbol that the app shows; nil for a topic that the app does not know.
    public var symbol: String? {
        switch id.rawValue {
        case "daily_life": "sun.max"
        case "travel": "airplane"
        case "workplace": "briefcase"
        case "food_dining": "fork.knife"
        case "entertainment": "film"
        case "current_events": "newspaper"
        default: nil
        }
    }
}
