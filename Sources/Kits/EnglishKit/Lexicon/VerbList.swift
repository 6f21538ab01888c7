/// Verbs by frequency band. Bands 1…5 correspond roughly to what learners of level A1, A2, B1, B2 and C1 know.
enum VerbList {
    /// Infinitive, past, participle.
    static let irregular: [(band: Int, forms: String)] = [
        (
            1,
            """
            go went gone, come came come, do did done, have had had, eat ate eaten, drink drank drunk, see saw seen,
            get got gotten, give gave given, take took taken, make made made, buy bought bought, say said said, tell told told,
            know knew known, think thought thought, read read read, write wrote written, speak spoke spoken, sleep slept slept,
            run ran run, sit sat sat, stand stood stood, swim swam swum, teach taught taught, find found found, put put put,
            let let let, meet met met, feel felt felt, leave left left, drive drove driven, sing sang sung, wear wore worn,
            pay paid paid, hear heard heard, cost cost cost, begin began begun, bring brought brought, sell sold sold,
            lose lost lost
            """
        ),
        (
            2,
            """
            become became become, break broke broken, build built built, catch caught caught, choose chose chosen, cut cut cut,
            draw drew drawn, dream dreamed dreamed, fall fell fallen, fly flew flown, forget forgot forgotten, grow grew grown,
            hit hit hit, hold held held, hurt hurt hurt, keep kept kept, lend lent lent, mean meant meant, ride rode ridden,
            send sent sent, show showed shown, shut shut shut, spend spent spent, steal stole stolen, throw threw thrown,
            understand understood understood, wake woke woken, win won won, lie lay lain, rise rose risen, lead led led,
            set set set, fight fought fought, hide hid hidden
            """
        ),
        (
            3,
            """
            beat beat beaten, bite bit bitten, blow blew blown, burn burned burned, deal dealt dealt, dig dug dug, feed fed fed,
            forgive forgave forgiven, freeze froze frozen, hang hung hung, overcome overcame overcome, quit quit quit,
            ring rang rung, seek sought sought, shake shook shaken, shine shone shone, shoot shot shot, sink sank sunk,
            smell smelled smelled, spread spread spread, stick stuck stuck, swear swore sworn, sweep swept swept, tear tore torn,
            bet bet bet, split split split
            """
        ),
        (
            4,
            """
            arise arose arisen, bear bore borne, bend bent bent, bind bound bound, breed bred bred,
            broadcast broadcast broadcast, cast cast cast, foresee foresaw foreseen, forecast forecast forecast,
            mislead misled misled, overhear overheard overheard, oversleep overslept overslept, rebuild rebuilt rebuilt,
            rewrite rewrote rewritten, swell swelled swollen, undergo underwent undergone, undertake undertook undertaken,
            upset upset upset, weave wove woven, withdraw withdrew withdrawn, retell retold retold, redo redid redone
            """
        ),
    ]

    static let regular: [(band: Int, words: String)] = [
        (
            1,
            """
            answer ask brush call change clean clear close cook count cry dance download enjoy exercise finish help hope hurry
            join jump kiss laugh learn like listen live look love miss move need open order paint park phone plan play practice
            rain rest shop show shower smile smoke snow start stay stop study talk text thank travel try turn use visit wait
            walk want wash watch wish work worry yell
            """
        ),
        (
            2,
            """
            accept act add admire agree allow appear apologize argue arrive attend bake bark believe belong boil book borrow
            breathe brake camp cancel carry cause celebrate chat check cheer cheat climb collect compare complain complete
            connect contact contain continue control copy correct cough cover cross damage dance date decide decorate deliver
            depend describe design destroy die disappear discover discuss dislike divide download dress drop earn email end
            enter escape excite exist expect explain explore face fail fill fit fix focus fold follow fry greet guess guide
            handle happen hate heat hike hug hunt imagine improve include increase invent invite iron kick kill knock land last
            lift limit list lock manage mark marry matter mention mind mix notice offer own pack pass pick plant please point
            post pour practise prefer prepare press print produce promise pronounce protect provide pull push raise reach
            realize receive recommend record recycle relax remember remind rent repair repeat reply report respect return ring
            rob sail save scare score scream search seem serve share shout sign ski slow smell solve sound spell stretch succeed
            suggest support suppose surf surprise switch taste tell test tie touch train translate trust type upload upgrade
            vote waste water wonder wrap
            """
        ),
        (
            3,
            """
            achieve adapt admit adopt advertise advise affect aim announce annoy apply appreciate approach approve arrange
            arrest attach attack attract avoid ban base beg behave benefit blame block boost bother breathe bully calculate calm
            challenge charge chase claim combine comment communicate concentrate concern confirm confuse consider consist
            contribute convince create criticize damage debate decrease defeat defend delay delete demand deny deserve develop
            disagree disappoint discount donate doubt edit educate elect embarrass employ encourage engage ensure entertain
            estimate exaggerate examine exchange expand experience explode export express extend fade fail favor feature file
            fire float force forgive form frighten fund gain gather govern graduate handle harm head hesitate hire host identify
            ignore impact import impress influence inform injure insist install intend interview introduce invest investigate
            involve judge justify label lack launch locate maintain measure monitor motivate negotiate nod note obey object
            observe obtain occur operate oppose organize overwork owe participate perform permit persuade pollute postpone
            praise predict prevent process progress promote propose prove publish punish purchase question quote react recognize
            recover reduce refer refuse regret reject relate release rely remain remove renew replace represent request require
            rescue reserve resign resist respond result retire reveal review reward risk ruin rush satisfy schedule select
            separate settle shape shock shift shop sort stare state store struggle submit succeed suffer suit surround survive
            suspect tend threaten tidy tour track trade treat trick update urge value vary view volunteer warn weigh welcome
            whisper
            """
        ),
        (
            4,
            """
            abandon absorb access accompany accomplish accuse acknowledge acquire adjust advance advocate afford aggravate
            allocate alter analyze anticipate appeal appoint assess assign assist associate assume assure attempt bargain
            broaden campaign cease characterize circulate cite clarify collaborate collapse commit commute compensate compete
            compile compose comprehend compromise conclude conduct confess confront conserve constitute construct consult
            consume contradict convert cooperate cope correspond cultivate debate decline dedicate define demonstrate depart
            derive detect determine devote differ diminish disclose discourage discriminate dismiss display dispose distinguish
            distract distribute disturb diversify dominate draft eliminate emerge emphasize enable encounter endure enforce
            enhance enrich establish evaluate evolve exceed exclude execute exhaust exhibit expire exploit facilitate finance
            flourish fluctuate formulate foster frustrate fulfill generate grant guarantee highlight hinder imitate implement
            imply impose incorporate indicate inherit initiate innovate inspire integrate interact interpret interrupt isolate
            lessen merge minimize modify multiply neglect nurture obsess occupy offend opt outsource outweigh overestimate
            overlook perceive persist pose possess precede preserve prioritize proceed prohibit project prolong provoke pursue
            rank reassure rebel reconsider reflect reform regulate reinforce relieve relocate resemble resolve restore restrict
            retain revise sacrifice simplify specify speculate stimulate strengthen stress substitute subsidize summarize
            supervise suppress sustain sympathize tackle tempt tolerate transfer transform transmit trigger undermine
            underestimate unite utilize violate widen yield
            """
        ),
        (
            5,
            """
            accelerate alleviate ameliorate amplify articulate ascertain bolster coerce coincide commence compel complement
            concede conceive condemn conform contemplate contend converge convey curb curtail decipher deem deteriorate deviate
            devise diagnose differentiate discern dispel disrupt elaborate elevate elicit embark embrace emulate encompass
            engender entail epitomize eradicate erode escalate evoke exacerbate exert fabricate forge hamper harness impair
            impede incur induce infer inhibit instigate instil jeopardize juxtapose manifest mitigate navigate necessitate
            obscure offset orchestrate perpetuate pinpoint plummet ponder postulate preclude procure proliferate refute
            relinquish rectify reiterate scrutinize signify soar spearhead stagnate subside succumb supersede surmount surpass
            thrive transcend underscore unravel uphold vindicate warrant
            """
        ),
    ]

    /// Regular verbs that double their last letter.
    static let doubling = Set(
        """
        ban beg chat control drop fit grab hug jog nod occur permit plan plug prefer program refer regret rob scan shop skip
        slip sob spot star stop submit swap tap tip trap travel trip wrap zip admit commit compel incur infer concur transfer
        upset quit run sit swim get put let cut hit set win begin dig shut split bet forget rebel propel abet outwit
        """.words)
}
