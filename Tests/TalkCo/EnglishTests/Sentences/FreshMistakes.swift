/// Erroneous sentences that were written last. See `Docs/Marker-Quality.md`.
enum FreshMistakes {
    static let grammar = """
        My parents live in Tainan, so I {visits => visit} them once a month.
        I was late because the train {don't => didn't} come on time yesterday.
        When I was in high school, I {join => joined} the basketball team.
        I have three {meeting => meetings} this afternoon.
        Do you have {a free time => free time} this weekend?
        The boss {give => gave} us a bonus last month.
        I am thinking about {change => changing} my job.
        My wife is pregnant, so she can't {eats => eat} raw fish.
        It's difficult to find a cheap {apartments => apartment} in Taipei.
        I enjoyed {talk => talking} with you.
        He is the {most tall => tallest} person in my team.
        Can you tell me how {get => to get} there?
        The soup tastes {well => good}.
        I've been learning English {since => for} ten years.
        Did you {went => go} to the concert last weekend?
        We stayed at a hotel {in => on} the tenth floor.
        I hope I can go {to abroad => abroad} next year.
        There {was => were} a lot of people waiting in line.
        I usually {drinking => drink} a cup of coffee in the morning.
        Both of my {brother => brothers} are married.
        I bought this jacket {in => on} sale.
        He works {hardly => hard} because he wants to get promoted.
        They didn't {invited => invite} me to the wedding.
        My company is {a => an} international company.
        I am responsible {of => for} the Japanese market.
        She told me that she {doesn't => didn't} want to go.
        I can speak {a few => a little} Japanese.
        If it {will be => is} sunny tomorrow, we will go hiking.
        I have never {eat => eaten} stinky tofu.
        The news {are => is} everywhere on the internet.
        """

    static let sentenceStructure = """
        Can you tell me where {is the restroom => the restroom is}?
        Why {you want => do you want} to learn English?
        Although the price is high, {but many => many} people still buy it.
        In my office {have => there are} twenty people.
        My mother {she => } doesn't like to travel by plane.
        The food {very good => is very good} but too expensive.
        I {almost every day eat => eat} noodles for lunch almost every day.
        {Is => It is | It's} important to learn English nowadays.
        I don't know what {is the problem => the problem is}.
        How {I can => can I} improve my English?
        Because I like animals, {so I => I} want to be a vet.
        There are many foreigners {live => who live | living} in this area.
        """

    static let naturalness = """
        I {very want => really want} to see that movie.
        {How to spell => How do you spell} your name?
        I think the salary is too {cheap => low}.
        The traffic in Taipei is very {crowded => heavy | bad}.
        Yesterday I {felt not well => didn't feel well}.
        Please {say again => say that again}.
        """

    static let vocabulary = """
        I forgot to {take => bring} my umbrella so I got wet.
        Can you {close => turn off} the air conditioner?
        I {ate => took} a pill before I went to bed.
        My son {looks => watches} cartoons every evening.
        He {said => told} us a funny story.
        Could you {borrow => lend} me a pen?
        I want to {know => make} more foreign friends.
        The teacher gave me a good {advise => piece of advice | advice}.
        The {travel => trip} was very interesting.
        I {did => made} a reservation for two people.
        """
}
