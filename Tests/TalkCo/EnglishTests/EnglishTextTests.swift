import TalkCoEnglish
import Testing

@Suite struct EnglishTextTests {
    @Test(arguments: [
        "I like to travel.", "Yesterday I go to school", "Yes.", "ok", "No, thanks!", "Sushi.", "Taipei", "Kaohsiung and Tainan",
        "My name is Wei-Chen", "I'm 25", "42", "I eat 珍珠奶茶 every day and it is delicious", "Um, hello", "I very very like it!!!",
        "um I want to, uh, order the beef noodles", "he dont know", "Let's go to Jiufen with Hsiao-Ling tomorrow",
    ])
    func learnersEnglishIsEnglish(text: String) {
        #expect(EnglishText.isEnglish(text))
    }

    @Test(arguments: [
        "", "   ", "...", "😀😀", "我昨天去夜市吃了很多東西。", "我不知道怎麼說 cheap", "今天天氣很好 ok", "カレーが好きです", "저는 학생입니다",
        "asdf", "asdf jkl qwer", "zxcvbnm", "hjkl hjkl hjkl", "hmm", "uh um ah", "qwrt psdf", "aaaaaaa", "♪♪♪",
        "wo xihuan chi pingguo",
    ])
    func otherLanguagesAndNoiseAreNot(text: String) {
        #expect(!EnglishText.isEnglish(text))
    }
}
