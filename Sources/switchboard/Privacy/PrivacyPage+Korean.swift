extension PrivacyPage.Language {
    static let korean = PrivacyPage.Language(code: "ko", name: "한국어", title: "개인정보 처리방침") { facts in
        var sections = [
            PrivacyPage.Section(
                "서버 운영자",
                facts.owner.map { "이 서버의 운영자는 \($0)입니다. 데이터에 관한 문의는 운영자에게 하세요." }
                    ?? "이 서버의 운영자가 이름을 입력하지 않았습니다. 서버 주소를 알려 준 사람에게 문의하세요.",
                "이 서버는 Switchboard를 실행하며, 광고와 이용 분석이 없습니다. 이 페이지에 적힌 경우 외에는 데이터를 다른 곳에 넘기지 않습니다. 서버의 파일에 접근할 수 있는 운영자는 저장된 내용을 읽을 수 있습니다."
            ),
            PrivacyPage.Section(
                "연결",
                "네트워크 주소는 시도 횟수를 제한하기 위해 메모리에서만 사용하고 저장하지 않습니다. 서버 로그에는 사용자와 내용이 기록되지 않습니다."
            ),
        ]
        if facts.hasBrowserApps {
            sections.append(
                .init(
                    "브라우저의 앱",
                    "쿠키로 브라우저를 구별합니다. 서버는 브라우저마다 폴더를 두고 앱의 로그인 정보, 설정, 아직 보내지 않은 메시지와 녹음을 보관합니다. 폴더는 마지막 사용 후 90일이 지나면, 또는 홈 화면 설정에서 ‘이 휴대폰 지우기’를 선택하면 바로 삭제됩니다."
                ))
        }
        if facts.systems.contains("pager2077") {
            sections.append(
                .init(
                    "Pager2077",
                    "저장하는 정보: 이름 대신 쓰는 무작위 코드, 직접 정한 이름, 친구와 친구 요청, 마지막 접속 시각, 점수, 메시지(\(facts.pagerDays)일 동안). 친구는 코드와 이름, 접속 여부를 볼 수 있습니다.",
                    "앱에서 계정을 삭제할 수 있습니다. 한 번도 사용하지 않은 계정은 자동으로 삭제됩니다."))
        }
        if facts.systems.contains("simbridge") {
            sections.append(
                .init(
                    "SimBridge",
                    "저장하는 정보: 사용자 이름과 비밀번호의 해시, 또는 Google 식별자와 이메일 주소, 기기와 페어링, 서버를 거치는 문자와 통화(전화번호와 내용 포함, 최대 \(facts.historyDays)일 동안).",
                    "앱에서 계정을 삭제할 수 있습니다. 그러면 이 모든 정보가 바로 삭제되고 다른 기기는 로그아웃됩니다."))
        }
        if facts.systems.contains("talkco") {
            sections.append(
                .init(
                    "TalkCo",
                    "무작위 식별자로 저장하는 정보: 말한 내용의 텍스트, 튜터의 답변, 첨삭과 요약(최대 \(facts.talkDays)일 동안), 수준과 목표와 실수가 담긴 프로필, 튜터의 음성(하루 동안). 음성 녹음은 인식이 끝나면 저장하지 않습니다. 앱에서 허용한 경우에는 복습을 마칠 때까지, 최대 30일 동안 보관합니다.",
                    "서버가 외부의 언어 모델이나 음성 인식에 연결되어 있으면 말한 내용이나 음성이 그곳으로 전송됩니다.",
                    "앱에서 모두 삭제할 수 있습니다."))
        }
        if facts.systems.contains("localllm") {
            sections.append(
                .init(
                    "LocalLLM",
                    "대화는 앱에 저장됩니다. 사용자가 선택한 모델 컴퓨터는 휴대폰이 받아 갈 수 있도록 답변을 24시간 보관하고, 사용이 허용된 휴대폰 목록을 보관합니다. 둘을 연결하는 공개 네트워크는 네트워크 주소와 그 컴퓨터의 식별자를 볼 수 있지만 내용은 볼 수 없습니다."
                ))
        }
        if facts.systems.contains("endlesscode") {
            sections.append(
                .init(
                    "EndlessCode",
                    "코딩 에이전트의 세션은 에이전트가 실행되는 컴퓨터에 마지막 사용 후 90일 동안 보관됩니다. 이 서버는 데모 에이전트와의 세션만 저장합니다. 에이전트가 제작사에 보내는 데이터는 해당 에이전트에 달려 있습니다."
                ))
        }
        sections += [
            .init(
                "알림",
                "알림을 켜면 서버는 푸시 서비스(Apple, 브라우저 제작사 또는 ntfy 서버)에서의 기기 주소를 저장합니다. 브라우저의 서비스는 알림을 읽을 수 없지만 Apple과 ntfy 서버는 읽을 수 있습니다. 알림을 끄면 주소가 삭제됩니다."
            ),
            .init("백업", "삭제된 데이터는 그 전에 만든 백업에 남아 있을 수 있습니다."),
        ]
        return sections
    }
}
