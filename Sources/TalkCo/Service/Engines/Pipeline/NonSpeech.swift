import Foundation

/// The texts that recognizers write when nobody speaks: names of sounds, and the subtitles of videos that Whisper was trained on.
///
/// Sources: the reports of openai/whisper #928 and #679, screenpipe/screenpipe #4070, and of other applications that use Whisper.
enum NonSpeech {
    /// Sentences that learners do not say to a tutor, as ``plain(_:)`` returns them. "Music." and "Thank you." may be answers.
    private static let sentences = Set(
        [
            "thank you for watching", "thanks for watching", "thank you for watching this video", "thanks for watching this video",
            "thank you so much for watching", "thank you very much for watching", "thank you all for watching",
            "thanks so much for watching", "thank you for watching the video", "thank you for watching my video",
            "thank you for your watching", "thank you for viewing", "thanks for viewing", "i hope you enjoyed this video",
            "i hope you enjoyed the video",
            "if you enjoyed this video please like and subscribe", "please subscribe", "please subscribe to my channel",
            "please subscribe to our channel", "please like and subscribe", "like and subscribe", "subscribe to my channel",
            "subscribe to the channel", "please like comment and subscribe", "like comment and subscribe",
            "dont forget to subscribe", "dont forget to like and subscribe", "dont forget to like comment and subscribe",
            "see you in the next video", "see you in the next one", "ill see you in the next video", "see you next video",
            "subtitles by the amaraorg community", "subtitles by amaraorg community", "transcription by castingwords",
            "transcribed by otterai", "subs by wwwzeorangercouk", "subtitles by", "captioning by", "captions by", "translated by",
            "www mooji org", "wwwmoojiorg", "blank audio", "no audio", "no speech", "inaudible",
            "untertitel der amaraorg community", "untertitelung des zdf 2020", "sous titres realises par la communaute damaraorg",
            "gracias por ver el video", "ご視聴ありがとうございました", "시청해주셔서 감사합니다", "구독과 좋아요 부탁드립니다",
            "谢谢观看", "謝謝觀看", "感谢观看", "感謝觀看", "谢谢大家", "字幕by索兰娅", "字幕志愿者 杨茜茜", "请不吝点赞 订阅 转发 打赏支持明镜与点点栏目",
            "請不吝點贊 訂閱 轉發 打賞支持明鏡與點點欄目", "字幕由amaraorg社区提供", "字幕由 amaraorg 社群提供", "中文字幕志愿者 杨茜茜",
        ].map(plain))

    /// Returns the words of a transcript that a learner may have said.
    ///
    /// - Returns: Empty if there are none.
    static func removed(from transcript: String) -> String {
        var text = transcript
        // Names of sounds, speakers and tokens are in brackets.
        for pattern in [
            /<\|[^|]*\|>/, /\[[^\]]*\]/, /\([^)]*\)/, /\{[^}]*\}/, /（[^）]*）/, /【[^】]*】/, /\*[^*]+\*/, /[♪♫♬🎵🎶]+[^♪♫♬🎵🎶]*[♪♫♬🎵🎶]+/,
        ] {
            text.replace(pattern, with: " ")
        }
        text.replace(/[♪♫♬🎵🎶]|^\s*(?:>>+|[-–—])(?=\s|$)/, with: " ")
        // Noise is often transcribed as one sentence, repeated.
        let kept = parts(of: text).filter { !sentences.contains(plain($0)) }
        let words = withoutLoops(kept.joined(separator: " ").split(whereSeparator: \.isWhitespace)).joined(separator: " ")
        return words.contains { $0.isLetter || $0.isNumber } ? words : ""
    }

    /// Minimum repetitions of one word, and of several, that count as noise. People repeat words less often.
    private static let loopCounts = (word: 7, words: 4)
    /// Maximum length of the repeated words.
    private static let maximumLoopLength = 12

    /// Returns the words with each loop once, and none if a loop is all: recognizers repeat themselves to the end of sound that
    /// they do not understand.
    private static func withoutLoops(_ words: [Substring]) -> [Substring] {
        let plain = words.map { Self.plain(String($0)) }
        // Whisper writes "you" repeatedly when nobody speaks.
        if plain.count > 1, plain.allSatisfy({ $0 == "you" }) { return [] }
        var (kept, index) = ([Substring](), 0)
        while index < words.count {
            let loop = (1...maximumLoopLength).lazy.compactMap { length -> Range<Int>? in
                var end = index + length
                while end < words.count, plain[end] == plain[end - length] { end += 1 }
                return (end - index) / length >= (length == 1 ? loopCounts.word : loopCounts.words) ? index..<end : nil
            }.first
            guard let loop else {
                kept.append(words[index])
                index += 1
                continue
            }
            if loop.count == words.count { return [] }
            let length =
                (1...loop.count).first { length in loop.dropFirst(length).allSatisfy { plain[$0] == plain[$0 - length] } } ?? 1
            kept += words[loop.lowerBound..<loop.lowerBound + length]
            index = loop.upperBound
        }
        return kept
    }

    /// Returns the sentences of a text with their punctuation.
    private static func parts(of text: String) -> [String] {
        var parts = [""]
        for (index, character) in zip(text.indices, text) {
            parts[parts.count - 1].append(character)
            let next = text.index(after: index)
            let isEnd = character.isNewline || "。！？".contains(character) || ".!?".contains(character)
            if isEnd, next == text.endIndex || text[next].isWhitespace || "。！？".contains(character) { parts.append("") }
        }
        return parts
    }

    private static func plain(_ sentence: String) -> String {
        let text = sentence.lowercased().folding(options: [.diacriticInsensitive, .widthInsensitive], locale: nil)
        let letters = text.map { $0.isLetter || $0.isNumber ? $0 : "'’.".contains($0) ? Character("\u{0}") : " " }
        return letters.filter { $0 != "\u{0}" }.split(separator: " ").map { String($0) }.joined(separator: " ")
    }
}
