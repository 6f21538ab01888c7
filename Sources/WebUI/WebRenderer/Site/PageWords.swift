import HTTPTypes
import Hummingbird
import SwiftUI

/// The texts of pages outside apps: the form for the access code, refusals, the notice without scripts.
struct PageWords: Sendable {
    /// The language of the texts, as a BCP 47 tag.
    let language: String
    private let table: [String: String]

    private static let english = PageWords(language: "en", table: [:])
    private static let korean = PageWords(
        language: "ko",
        table: [
            explanation: "이 브라우저는 아직 이 서버의 휴대폰이 아닙니다.",
            codePlace:
                "접속 코드는 서버를 시작한 터미널에 QR 코드와 함께 표시되고, 서비스로 실행되는 경우 로그에 남으며, 데이터 폴더의 access-code.secret 파일에도 있습니다.",
            accessCode: "접속 코드", proceed: "계속", home: "홈", needsScripts: "이 페이지를 보려면 JavaScript를 켜세요.",
            wrongCode: "이 서버의 접속 코드가 아닙니다.", tooManyAttempts: "시도 횟수가 너무 많습니다. 1분 후에 다시 시도하세요.",
            noPage: "페이지가 없습니다.", noFile: "파일이 없습니다.", foreignForm: "이 양식은 이 서버의 페이지에서만 보낼 수 있습니다.",
        ])
    private static let traditionalChinese = PageWords(
        language: "zh-Hant",
        table: [
            explanation: "這個瀏覽器還不是這台伺服器的手機。",
            codePlace: "存取碼會與 QR 碼一起顯示在啟動伺服器的終端機中；若以服務方式執行，則在其記錄裡；資料夾中的 access-code.secret 檔案也有。",
            accessCode: "存取碼", proceed: "繼續", home: "主畫面", needsScripts: "請啟用 JavaScript 以檢視此頁面。",
            wrongCode: "這不是這台伺服器的存取碼。", tooManyAttempts: "嘗試次數過多。請在 1 分鐘後再試。",
            noPage: "找不到頁面。", noFile: "找不到檔案。", foreignForm: "此表單只能從這台伺服器的頁面送出。",
        ])

    static let explanation = "This browser is not a phone of this box yet."
    static let codePlace =
        "The access code is in the terminal in which the box was started, with a QR code to scan; in the log of a box that runs as a service; and in the file access-code.secret in the data folder."
    static let accessCode = "Access code"
    static let proceed = "Continue"
    static let home = "Home"
    static let needsScripts = "This page needs JavaScript."
    static let wrongCode = "That is not the access code of this box."
    static let tooManyAttempts = "Too many attempts. Wait a minute."
    static let noPage = "There is no such page"
    static let noFile = "There is no such file"
    static let foreignForm = "This form is for pages of this box"

    /// Returns the texts in the preferred language of `Accept-Language` that is supported; otherwise in English.
    static func of(_ request: Request) -> PageWords {
        let header = request.headers[values: .acceptLanguage].joined(separator: ",").prefix(1024)
        // Languages of equal weight keep the order of the header (RFC 9110, section 12.5.4).
        let wanted = header.split(separator: ",").enumerated().map { index, item in
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " } }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            let names = languageNames(String(parts.first ?? ""))
            return (words: all.first { names.contains($0.language.lowercased()) }, weight: weight, index: index)
        }
        let best = wanted.filter { $0.weight > 0 && $0.words != nil }.max { ($0.weight, -$0.index) < ($1.weight, -$1.index) }
        return best?.words ?? english
    }

    /// Returns the translation of an English text.
    func callAsFunction(_ words: String) -> String { table[words] ?? words }

    /// All supported languages.
    static let all = [english, korean, traditionalChinese]
}
