/// Nouns by frequency band and by use.
enum NounList {
    /// People; countable, always with a determiner in the singular.
    static let persons: [(band: Int, words: String)] = [
        (
            1,
            """
            aunt baby boy boyfriend brother child cousin daughter doctor driver engineer farmer father friend girl girlfriend
            grandfather grandmother grandma grandpa husband kid man neighbor nurse parent person sister singer son student
            teacher uncle waiter waitress wife woman worker classmate cook dancer writer roommate
            """
        ),
        (
            2,
            """
            actor actress adult artist assistant baker boss businessman businesswoman cashier chef clerk coach colleague
            coworker customer dentist designer editor employee employer firefighter fisherman foreigner guest guide guy
            hairdresser helper housewife journalist judge lawyer librarian manager mechanic member musician nephew niece officer
            painter passenger patient photographer pilot player poet policeman president programmer reporter scientist secretary
            seller shopkeeper soldier stranger teenager tourist traveler visitor winner youtuber local
            """
        ),
        (
            3,
            """
            accountant analyst applicant architect assistant athlete audience author barista candidate citizen client competitor
            consultant consumer contractor critic developer director economist entrepreneur expert fan freelancer graduate
            immigrant influencer instructor intern interviewer investor landlord leader mentor minister owner partner politician
            principal professor psychologist researcher resident salesperson salesman specialist sponsor supervisor supporter
            technician tenant therapist trainer translator victim voter volunteer
            """
        ),
        (
            4,

            """
            activist administrator advocate beneficiary bureaucrat colleague commuter counselor diplomat executive lecturer \
            legislator negotiator opponent pensioner predecessor recruiter refugee scholar shareholder spectator \
            spokesperson stakeholder subscriber successor taxpayer
            """
        ),
    ]

    /// Other nouns that are always countable.
    static let things: [(band: Int, words: String)] = [
        (
            1,
            """
            airport apple bag ball banana bathroom beach bed bedroom bicycle bike bird boat book bottle box bus cake camera car
            cat chair cinema city computer cup day airplane subway desk dog door egg elephant eye flower foot game garden guitar
            hand hat head holiday hospital hotel hour house idea job key kitchen lake language letter library map market meeting
            minute month monkey mountain movie museum name number office orange park pen pencil phone photo piano picture place
            plane problem question rabbit restaurant river road scooter shirt shoe shop song star store story street supermarket
            sweater table taxi test ticket toilet toy train tree umbrella video village week weekend window word year zoo thing
            classroom lamp t-shirt sandwich hamburger cookie smartphone cellphone
            """
        ),
        (
            2,
            """
            accident activity address adventure advertisement album alarm ambulance animal ankle answer apartment app arm
            article backpack restroom balcony bakery bank bar basket battery beard bell belt bill birthday blanket block blog
            board body bone bookstore boot bowl branch bridge building button cafe calendar camp candle cap card carpet castle
            ceiling center channel chapter choice cloud club coat coin cold comic company competition concert contest corner
            costume country couple course cousin crowd cupboard curtain dancer date deadline decision department desert dessert
            diary dictionary difference discount dish dollar dream dress drugstore ear elevator email end engine error event
            exam example expense eyebrow face fact factory farm fault fee feeling festival fever file film finger flight floor
            flower forest fork form fridge friendship gallery garage gate gift girl goal grade group gym habit hall headache
            heart helmet hero hill hobby hole homepage hometown horse hostel iphone insect instrument interview island jacket
            joke journey kilometer knee knife lesson lie light line link lip list location magazine mall mask match meal medal
            member menu message mile mirror mistake mobile moment monster motorcycle mouth museum nation neck newspaper noodle
            nose note notebook opinion order oven page pair palace panda parade part party passport password path piece pillow
            plan planet plant plate platform pocket point pool post poster potato present price prize product program project
            purse puzzle rainbow reason receipt recipe refrigerator report reservation ring robot roof rule salad sale sample
            schedule screen seat season secret sentence service set shelf ship shoulder show shower side sign size skill skirt
            smell snack sofa speech spoon stadium stage stair station step stomachache stop suit suitcase sunset swimmingpool
            symbol system tail talk task team television temple tie title toe tomato tool tooth toothache toothbrush tour towel
            tower town trip truck turtle uniform vacation vegetable view visa voice vote wall wallet watch wave way website
            wedding wish workshop zebra
            """
        ),
        (
            3,
            """
            ability account achievement action advantage agency agreement aim airline amount application appointment argument
            army aspect atmosphere attempt attitude average award bargain barrier benefit border brand budget bug campaign
            candidate career case category cause celebration century ceremony challenge chance chapter character charity charge
            clue colony combination comment committee community comparison complaint component concept conclusion condition
            conference conflict connection contract contribution conversation copy creature crisis culture cure currency custom
            debate degree delay description destination detail device disadvantage disaster discovery disease document donation
            drawback earthquake economy effect effort election emergency emotion environment era essay exception exhibition
            experiment explanation expression factor failure feature field figure fine function generation government guideline
            harbor highlight impression improvement impact incident industry influence ingredient injury institution interest
            introduction invention invitation issue item law lecture lifestyle loan logo lockdown medium method mission mood
            mortgage movement neighborhood network notice object obstacle occasion offer operation opportunity option
            organization origin payment penalty performance period permit phase phenomenon podcast policy population position
            possibility presentation princess procedure process profession profile profit promotion proposal protest purpose
            quality quarter race range rate reaction recommendation record reform refund region relationship relative request
            requirement resource response restriction result resume review reward risk role route salary scandal scene scheme
            section sector session shift shortage shortcut signal situation skyscraper society solution source stereotype
            strategy structure subject subscription subway suggestion summary survey surface symptom target technique tendency
            theme theory threat topic total tradition trend trick tsunami typhoon union unit university upgrade user vaccine
            value variety vehicle version victory viewpoint village volcano warning weakness weapon workplace
            """
        ),
        (
            4,
            """
            abnormality acquisition alternative ambition analogy approach assessment asset assumption breakdown breakthrough
            bottleneck bias boundary bureaucracy circumstance code coincidence collaboration commitment compromise concession
            consensus consequence constraint controversy correlation counterpart criterion deficit dilemma dimension disparity
            distinction drawback duration endeavor entity ethic evaluation expectation extent facet framework gap gesture
            guarantee guideline hierarchy hypothesis ideal implication incentive inequality initiative innovation insight
            instance intention interaction interpretation intervention investment liability mechanism merger metaphor milestone
            motive norm notion objective obligation outcome outlook paradox paradigm parameter perception perspective preference
            prejudice premise principle priority prospect provision ratio rationale recession regulation remedy reputation
            revolution sanction scenario sequence setback specialty statistic stigma stimulus subsidy substitute surplus tactic
            tariff temptation trait transaction transition turnout undertaking venture virtue
            """
        ),
    ]

    /// Nouns that are countable in one sense and stand without a determiner in another.
    static let dual: [(band: Int, words: String)] = [
        (
            1,
            """
            beer breakfast cake pizza salad steak chicken chocolate class coffee color dinner drink family fish food fruit hair
            home ice lunch love morning afternoon evening night paper room school soup tea time town summer winter spring autumn
            fall juice baseball basketball kind sport
            """
        ),
        (
            2,
            """
            art bath business cheese church college crime culture dance education energy experience exercise fire glass hope
            illness life light lamb mail mind nature noise oil pain peace plastic power prison religion rain sale salad sea
            shape silence skin smoke space speed stone taste thought trade travel trouble university voice war wine wind wood
            work yogurt snow training shopping service help care call
            """
        ),
        (
            3,
            """
            ambition authority beauty belief capital change choice comfort competition concern confidence control cooperation
            debt development difficulty disease doubt duty experience failure faith fashion fear freedom growth hate height
            honor history identity industry injury interest investment justice law memory need opposition passion personality
            pleasure practice pressure pride production protection race reality recovery respect responsibility science security
            shame shock status strength stress style success support surprise technology temperature tension theory tradition
            treatment truth value variety victory violence vision weight youth
            """
        ),
    ]

    static let uncountable: [(band: Int, words: String)] = [
        (
            1,
            """
            advice air baggage beef bread butter cash clothing electricity equipment fun furniture gold health homework
            housework information internet luggage luck meat milk money music news pork rice salt sand sugar sunshine traffic
            water weather tv tofu badminton tennis soccer football golf volleyball math physics
            """
        ),
        (
            2,
            """
            anger behavior blood courage damage flour gas garbage happiness heat jewelry kindness knowledge laughter laundry
            literature machinery nonsense oxygen patience permission pollution privacy progress research scenery seafood slang
            software soap steam stuff toast transportation trash violence wealth wildlife yoga jam sightseeing housing parking
            mathematics economics biology chemistry geography politics overtime hiking swimming cooking camping fishing jogging
            hardware
            """
        ),
        (
            3,
            """
            accommodation agriculture assistance awareness consciousness democracy employment enthusiasm entertainment evidence
            feedback greenery gossip guidance hospitality humidity humor hygiene ignorance independence inflation innocence
            insurance intelligence leisure logic loneliness maintenance marketing motivation nutrition obesity poverty
            productivity propaganda publicity racism relief relevance rubbish safety satisfaction stability sympathy tourism
            unemployment welfare wisdom creativity diversity
            """
        ),
        (
            4,

            """
            accountability bureaucracy complacency credibility empathy feasibility flexibility gratitude infrastructure \
            integrity legislation leverage momentum prosperity resilience scrutiny solidarity sovereignty sustainability \
            transparency
            """
        ),
    ]

    /// Singular, plural.
    static let irregularPlurals = [
        "child": "children", "man": "men", "woman": "women", "foot": "feet", "tooth": "teeth", "person": "people",
        "knife": "knives",
        "wife": "wives", "life": "lives", "shelf": "shelves", "half": "halves", "leaf": "leaves", "wolf": "wolves",
        "thief": "thieves", "potato": "potatoes",
        "tomato": "tomatoes", "hero": "heroes", "mouse": "mice", "phenomenon": "phenomena", "criterion": "criteria",
        "medium": "media",
        "policeman": "policemen", "businessman": "businessmen", "businesswoman": "businesswomen", "fisherman": "fishermen",
        "salesman": "salesmen",
        "fish": "fish", "salesperson": "salespeople", "spokesperson": "spokespeople", "stimulus": "stimuli",
        "hypothesis": "hypotheses",
        "crisis": "crises", "photo": "photos", "piano": "pianos", "roof": "roofs",
    ]

    /// Nouns that have no singular.
    static let pluralOnly: [(band: Int, words: String)] = [
        (1, "clothes glasses jeans pants people shorts trousers scissors"),
        (
            2,

            """
            police goods headphones thanks pajamas socks chopsticks sunglasses stairs surroundings outskirts belongings \
            earrings gloves sneakers pants
            """
        ),
    ]

    static let languages =

        """
        english chinese mandarin japanese korean taiwanese french german spanish italian russian vietnamese thai \
        cantonese portuguese
        """

    /// Countries and cities that take no article.
    static let places = """
        taiwan taipei kaohsiung taichung tainan hsinchu hualien taitung keelung japan tokyo osaka kyoto korea seoul china
        beijing shanghai america canada england london france paris germany berlin italy rome spain australia sydney singapore
        thailand bangkok vietnam malaysia indonesia india russia europe asia africa brazil mexico jiufen kenting yilan taoyuan
        okinawa vancouver boston
        """
}
