import Foundation
import LocalLLMWire
import WireKit

/// The error in a model server's reply, in one of these forms:
///
///     {"error":"…"}                                            Ollama, LM Studio, TGI
///     {"error":{"message":"…","type":"…","code":…}}            OpenAI, llama.cpp, vLLM
///     {"object":"error","message":"…"}   {"detail":"…"}        vLLM and SGLang of earlier versions, FastAPI
///     {"choices":[{"error":{"message":"…"},…}]}                OpenRouter, in the middle of an answer
///
/// Ollama passes on the error of its runner as JSON inside of the text.
struct ServerFailure: Hashable, Sendable {
    /// Maximum size of ``text``, in bytes of UTF-8.
    private static let maximumSize = 600

    let text: String
    /// The server's own name of the error: `type` and `code`.
    private let kind: String
    /// The sizes that llama.cpp reports; nil from other servers.
    private let exactSize: ContextSize?

    /// Reads the error in `json`; nil if there is none.
    init?(_ json: Data) {
        guard let value = try? WireJSON.decodeRepairing(JSONValue.self, from: json), case .object(let object) = value else {
            return nil
        }
        self.init(object, isNested: false)
    }

    private init?(_ object: [String: JSONValue], isNested: Bool) {
        var (fields, text) = (object, "an error without a message")
        switch object["error"] {
        case .string(let error):
            if !isNested, let inner = try? WireJSON.decode(JSONValue.self, from: Data(error.utf8)),
                case .object(let object) = inner,
                let failure = ServerFailure(object, isNested: true)
            {
                self = failure
                return
            }
            text = error
        case .object(let error):
            fields = error
            if case .string(let message) = error["message"] { text = message }
        case nil, .null:
            switch (object["object"], object["message"], object["detail"]) {
            case (.string("error"), .string(let message), _): text = message
            case (_, _, .string(let detail)) where object["choices"] == nil: text = detail
            default:
                // An error in place of the answer's text, as routers of several servers write it.
                guard let error = object["choices"]?.list?.first?["error"], error != .null,
                    let failure = ServerFailure(["error": error], isNested: true)
                else { return nil }
                self = failure
                return
            }
        default: break
        }
        self.text = text.prefix(utf8: Self.maximumSize)
        kind = ["type", "code"].compactMap { key in
            if case .string(let text)? = fields[key] { text.lowercased() } else { nil }
        }.joined(separator: " ")
        exactSize =
            if case .integer(let prompt)? = fields["n_prompt_tokens"], case .integer(let context)? = fields["n_ctx"] {
                ContextSize(prompt: Int(clamping: prompt), context: Int(clamping: context))
            } else {
                nil
            }
    }

    /// The code of the error; nil if its text does not tell one.
    var code: EngineError.Code? {
        if isAboutContext { return .contextExceeded(exactSize ?? sizeInText) }
        return isAboutLoading ? .loading : nil
    }

    // MARK: Server texts

    private var isAboutContext: Bool {
        if ["exceed_context_size", "context_length", "context_window"].contains(where: kind.contains) { return true }
        let text = text.lowercased()
        func has(_ words: String...) -> Bool { words.contains { text.contains($0) } }
        // A lack of memory for the context is another error.
        guard !has("alloc", "out of memory", "failed to create") else { return false }
        if has("context") {
            return has(
                "exceed", "length", "size", "window", "too long", "too large", "overflow", "maximum", "longer than", "is full")
        }
        return has("prompt is too long", "prompt too long", "input is too long", "input too long", "reduce the length of the")
            || has("tokens") && has("must be <=", "maximum number of", "too many tokens", "token limit")
    }

    /// The two numbers of a text such as `maximum context length is 4096 tokens, but 5000 were requested`.
    private var sizeInText: ContextSize? {
        let numbers = text.split { !$0.isASCII || !$0.isNumber }.prefix(2).compactMap { Int($0) }
        guard let least = numbers.min(), let most = numbers.max(), least >= 128, least < most else { return nil }
        return ContextSize(prompt: most, context: least)
    }

    private var isAboutLoading: Bool {
        let text = text.lowercased()
        let isFailure = ["error", "fail", "unable", "cannot", "could not", "couldn't"].contains { text.contains($0) }
        return text.contains("loading") && !isFailure
    }
}
