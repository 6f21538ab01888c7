extension PrivacyPage.Language {
    static let chinese = PrivacyPage.Language(code: "zh-Hant", name: "繁體中文", title: "隱私權政策") { facts in
        var sections = [
            PrivacyPage.Section(
                "伺服器的管理者",
                facts.owner.map { "此伺服器由 \($0) 管理。有關你的資料，請向管理者詢問。" }
                    ?? "此伺服器的管理者沒有填寫名稱。請詢問提供你伺服器位址的人。",
                "此伺服器執行 Switchboard，沒有廣告，也沒有使用分析。除了本頁說明的情況，資料不會提供給他人。能存取伺服器檔案的管理者可以讀取其中儲存的內容。"
            ),
            PrivacyPage.Section("連線", "網路位址只在記憶體中用來限制嘗試次數，不會儲存。伺服器的記錄不含使用者和內容。"),
        ]
        if facts.hasBrowserApps {
            sections.append(
                .init(
                    "瀏覽器中的 App",
                    "Cookie 用來識別瀏覽器。伺服器為每個瀏覽器保留一個資料夾，內有 App 的登入資訊、設定，以及尚未送出的訊息和錄音。最後一次使用後 90 天，或在主畫面的設定中選擇「忘記此手機」時，資料夾會刪除。"
                ))
        }
        if facts.systems.contains("pager2077") {
            sections.append(
                .init(
                    "Pager2077",
                    "儲存的資料：代替姓名的隨機代碼、你選擇的名稱、好友與好友邀請、最後上線時間、分數，以及訊息（保留 \(facts.pagerDays) 天）。好友可以看到你的代碼、名稱和是否在線上。",
                    "你可以在 App 中刪除帳號。從未使用過的帳號會自動刪除。"))
        }
        if facts.systems.contains("simbridge") {
            sections.append(
                .init(
                    "SimBridge",
                    "儲存的資料：你的使用者名稱和密碼的雜湊，或你在 Google 的識別碼和電子郵件地址；你的裝置與配對；經過伺服器的簡訊和通話，包括號碼與內容（最多保留 \(facts.historyDays) 天）。",
                    "你可以在 App 中刪除帳號。以上所有資料會立即刪除，你的其他裝置也會登出。"))
        }
        if facts.systems.contains("talkco") {
            sections.append(
                .init(
                    "TalkCo",
                    "以隨機識別碼儲存的資料：你說過的話（文字）、老師的回答、批改與總結（最多保留 \(facts.talkDays) 天）；包含程度、目標與錯誤的個人檔案；老師的語音（保留一天）。你的錄音在辨識後不會儲存；如果你在 App 中允許，錄音會保留到你結束檢討為止，最多 30 天。",
                    "如果伺服器連接了其他地方的語言模型或語音辨識，你的話語或聲音會傳送到那裡。", "你可以在 App 中刪除所有資料。"))
        }
        if facts.systems.contains("localllm") {
            sections.append(
                .init(
                    "LocalLLM",
                    "對話儲存在 App 中。你選擇的模型電腦會將回答保留 24 小時，讓手機可以取得，並保留可以使用它的手機清單。讓兩者互相找到的公開網路會看到它們的網路位址和該電腦的識別碼，但看不到內容。"
                ))
        }
        if facts.systems.contains("endlesscode") {
            sections.append(
                .init(
                    "EndlessCode",
                    "程式代理的工作階段保留在執行它的電腦上，直到最後一次使用後 90 天。此伺服器只儲存與示範代理的工作階段。代理傳送給其開發者的資料取決於該代理。"
                ))
        }
        sections += [
            .init(
                "通知",
                "如果你開啟通知，伺服器會儲存你的裝置在推播服務的位址：Apple、瀏覽器開發者或 ntfy 伺服器的服務。瀏覽器的服務無法讀取通知；Apple 和 ntfy 伺服器可以。關閉通知會移除該位址。"
            ),
            .init("備份", "已刪除的資料可能仍在先前的備份中。"),
        ]
        return sections
    }
}
