/// Adjectives, adverbs and function words.
enum OtherList {
    static let adjectives: [(band: Int, words: String)] = [
        (
            1,
            """
            afraid angry bad beautiful big black blue boring brown busy cheap clean cold cool cute dark delicious different
            difficult dirty easy excited expensive famous far fast fat favorite fine free friendly full fun funny good great green
            happy hard healthy heavy hot hungry important interesting kind late little long lucky many new nice old open pink
            poor popular pretty quiet ready red rich right sad safe same short sick slow small smart sorry special strong sunny
            tall thin thirsty tired ugly warm weak well wet white windy wonderful worried wrong yellow young
            """
        ),
        (
            2,
            """
            able active alive alone amazing angry annoying asleep attractive available average awake awesome awful bitter blind
            bored brave bright brilliant broken calm careful careless central certain cheerful clear clever close cloudy
            comfortable common complete complicated confident confused confusing convenient correct crazy crowded curious daily
            dangerous dead deaf dear deep dry due early elderly electric empty enjoyable exact excellent exciting extra fair
            false familiar fantastic fashionable final fit flat foggy foreign fresh friendly frightened frightening gentle glad
            gold gray grateful handsome helpful high honest horrible huge humid interested international jealous lazy local
            lonely loose loud lovely low mad main married modern narrow national natural near necessary nervous noisy normal
            official ordinary pale peaceful perfect personal pleasant pleased polite positive possible powerful proud public
            quick rainy rare raw real relaxed relaxing round rude salty scared scary selfish sensitive separate serious sharp
            shocked shy silly similar simple single sleepy soft sour specific spicy square strange strict stupid successful
            sudden sure surprised surprising sweet tasty terrible terrified thick tidy tight tiny tiring traditional true
            typical unhappy unusual upset useful useless usual valuable various wide wild wise wooden worse worth yummy stressed
            stressful exhausted disappointed disappointing embarrassed embarrassing satisfied
            """
        ),
        (
            3,
            """
            absent academic accurate additional addicted affordable aggressive alternative ambitious amused amusing ancient
            annoyed anxious appropriate ashamed aware awkward basic bilingual capable casual cautious challenging chronic
            competitive complex concerned confidential conscious conservative considerate constant controversial creative
            critical cruel current decent definite delighted demanding dependent depressed depressing determined digital
            disabled dishonest eager economic educational efficient embarrassed emotional retired endless enormous enthusiastic
            entire environmental essential ethnic evident experienced extreme faithful fascinating financial flexible fluent
            fond former frequent frustrated frustrating generous genuine global grand guilty harmful harsh hopeful hopeless
            ideal illegal imaginative immediate impatient impolite impossible impressed impressive inconvenient independent
            individual industrial inexperienced informal innocent intelligent intense internal irresponsible joyful key likely
            limited literary logical loyal major mature medical mental military minor miserable moral multiple mysterious mutual
            nasty native negative nuclear numerous obvious odd optimistic organized original outdoor outgoing overweight painful
            particular passionate patient permanent pessimistic physical plain political potential practical precious precise
            pregnant previous primary private productive professional promising proper protective reasonable recent regular
            related relative relevant reliable religious remote responsible rough satisfying secondary secure senior severe
            significant sincere skilled smooth sociable social solar solid spare stable steady stubborn sufficient suitable
            suspicious talented technical temporary tense tough toxic tremendous unable unbelievable uncomfortable unexpected
            unfair unfortunate unhealthy unique united unknown unlikely unlucky unnecessary unpleasant upper urban urgent vague
            vast vegetarian violent visible vital willing worldwide
            """
        ),
        (
            4,
            """
            abrupt absurd abstract abundant acceptable adequate adverse affluent arbitrary articulate authentic beneficial
            biased bleak blunt coherent compatible comprehensive compulsory concise consecutive considerable consistent
            contemporary conventional counterproductive crucial cynical deliberate desirable detrimental diligent diverse
            domestic dominant drastic dubious elaborate eligible equivalent ethical excessive exclusive explicit extravagant
            feasible fierce fundamental futile hostile humble hypothetical identical imminent impartial implicit inadequate
            inclusive incompatible inevitable inherent insufficient integral intensive intricate intriguing invaluable
            irrelevant liberal lucrative mainstream mandatory marginal meticulous moderate mundane notorious objective obsolete
            ongoing outdated overwhelming overwhelmed partial persistent pivotal plausible pragmatic predominant preliminary
            prevalent profound prominent prone reluctant renowned resilient rigid robust rural sceptical skeptical sophisticated
            spontaneous staggering strategic striking subjective subsequent substantial subtle superficial sustainable tangible
            tedious thorough trivial ubiquitous underlying unprecedented valid viable volatile vulnerable wary widespread
            """
        ),
    ]

    /// Adjectives that are compared with -er and -est.
    static let short = Set(
        """
        angry big brave bright busy cheap clean clear clever close cold cool cute dark deep dirty dry early easy fast fat few
        fresh friendly funny happy hard healthy heavy high hot hungry kind large late lazy light long loud low lucky narrow near
        new nice noisy old poor pretty quick quiet rich sad safe sharp short simple slow small smart smooth soft spicy strange
        strict strong sunny sweet tall tasty thick thin tidy tight tiny tough ugly warm weak wet wide wild wise young
        """.words)

    static let irregularComparison = [
        "good": ("better", "best"), "bad": ("worse", "worst"), "far": ("farther", "farthest"), "little": ("less", "least"),
    ]

    static let adverbs: [(band: Int, words: String)] = [
        (
            1,
            """
            again ago ahead already also always away back badly better down early ever everywhere fast hard here home how just
            late maybe much never now off often on only out outside please quickly really sometimes soon still then there today
            together tomorrow tonight too up upstairs usually very well yesterday yet inside downstairs online
            """
        ),
        (
            2,
            """
            abroad actually alone almost anymore anyway anywhere around bit carefully certainly clearly completely correctly
            downtown easily else enough especially exactly extremely finally first forward fortunately generally happily hardly
            heavily highly immediately instead lately later loudly luckily mainly mostly nearly next nowadays occasionally once
            originally overseas pretty probably quietly quite rarely rather recently regularly sadly safely secondly seldom
            seriously simply slowly so somehow sometime somewhere straight suddenly surely twice unfortunately nearby perhaps
            """
        ),
        (
            3,
            """
            absolutely accidentally apparently approximately basically besides briefly commonly constantly currently definitely
            deeply directly effectively efficiently entirely equally essentially eventually fairly firmly fluently frankly
            frequently fully furthermore gradually greatly honestly hopefully however ideally incredibly increasingly
            individually initially largely literally merely moreover namely naturally necessarily normally obviously officially
            otherwise partly particularly perfectly permanently personally possibly previously primarily properly purely rapidly
            relatively shortly significantly similarly slightly smoothly specifically strongly successfully temporarily
            therefore thoroughly thus totally truly typically ultimately unexpectedly virtually voluntarily widely
            """
        ),
        (
            4,
            """
            accordingly adequately admittedly albeit allegedly arguably conversely consequently considerably deliberately
            drastically exclusively explicitly fundamentally hence implicitly inadvertently inevitably inherently invariably
            ironically likewise markedly meanwhile nonetheless nevertheless notably notoriously ostensibly presumably profoundly
            reluctantly remarkably respectively seemingly severely simultaneously solely strikingly subsequently substantially
            subtly supposedly undoubtedly unequivocally whereby
            """
        ),
    ]

    /// Words with their tags and band.
    static let function: [(tags: Tags, band: Int, words: String)] = [
        (.determiner, 1, "a an the this that these those some any no every each another both all either neither"),
        (.possessive, 1, "my your his her its our their whose"),
        (.subject, 1, "i he she we they you it"),
        (.object, 1, "me him her us them you it"),
        (.object, 1, "myself yourself himself herself itself ourselves themselves mine yours hers ours theirs"),
        (.object, 1, "someone somebody something anyone anybody anything everyone everybody everything nobody nothing"),
        (
            .preposition, 1,

            """
            about after at before behind by for from in into near of on over to under with without between next like off up \
            down out
            """
        ),
        (
            .preposition, 2,

            """
            above across against along among around as below beside besides during except inside outside past since than \
            through toward towards until till
            """
        ),
        (.preposition, 3, "amid beyond concerning despite opposite per regarding throughout unlike upon via within onto"),
        (.conjunction, 1, "and but or so because if when before after"),
        (.conjunction, 2, "although though while until since that than as whether unless"),
        (.conjunction, 4, "whereas provided lest albeit"),
        (.modal, 1, "can can't cannot will won't 'll"),
        (.modal, 2, "could couldn't would wouldn't should shouldn't may might must mustn't"),
        (.modal, 3, "shall ought mightn't needn't shan't"),
        (.be, 1, "am is are was were be been being 'm 're isn't aren't wasn't weren't ain't"),
        ([.have, .base], 1, "have haven't 've"),
        ([.have, .thirdPerson], 1, "has hasn't"),
        ([.have, .past, .participle], 1, "had hadn't"),
        ([.auxiliaryDo, .base], 1, "do don't"),
        ([.auxiliaryDo, .thirdPerson], 1, "does doesn't"),
        ([.auxiliaryDo, .past], 1, "did didn't"),
        (.question, 1, "what where when who why how which"),
        (.question, 2, "whose whom whatever whenever wherever whoever whichever"),
        (
            .number, 1,
            """
            one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
            nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand
            """
        ),
        (.number, 2, "million billion dozen"),
        (
            .negative, 1,

            """
            not never don't doesn't didn't can't cannot won't isn't aren't wasn't weren't haven't hasn't hadn't n't \
            couldn't wouldn't shouldn't mustn't
            """
        ),
        (
            .weekday, 1,

            """
            monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays \
            saturdays sundays
            """
        ),
        (.month, 1, "january february march april may june july august september october november december"),
        (
            .degree, 1,
            "very really so too quite pretty extremely totally completely absolutely super rather fairly incredibly kinda"
        ),
        (
            [], 1,

            """
            yes no oh ok okay hi hello bye um uh yeah hey wow well mr mrs miss let's 's 'd such many much more most few \
            several lots lot other others own not as than mom dad
            """
        ),
        ([.singular, .person, .strict], 1, "mom dad mother father"),
        (.determiner, 1, "many several few much enough such"),
        (.adjective, 1, "more most other own next last first second third few such"),
    ]
}
