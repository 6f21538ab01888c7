/// Expressions worth learning, as patterns. See ``Pattern``.
enum ExpressionList {
    static let all: [String] = (phrasalVerbs + "\n" + collocations + "\n" + idioms + "\n" + connectors).split(separator: "\n").map(
        String.init)

    private static let phrasalVerbs = """
        look* forward to
        give* up
        give* it a try
        give* <OBJ> a hand
        give* <OBJ> a ride
        get* along with
        get* used to
        get* rid of
        get* over
        get* together
        get* in touch with
        get* stuck
        get* lost
        get* ready for
        get* off work
        get* back to <OBJ>
        get* to know
        am|is|are|was|were|'m|'s|'re used to <ING>
        am|is|are|was|were|'m|'re|'s fed up with
        am|is|are|was|were|'m|'re|'s tired of <ING>
        am|is|are|was|were|'m|'re|'s crazy about
        am|is|are|was|were|'m|'re|'s good at
        am|is|are|was|were|'m|'re|'s interested in
        am|is|are|was|were|'m|'re|'s familiar with
        am|is|are|was|were|'m|'re|'s responsible for
        am|is|are|was|were|'m|'re|'s in charge of
        am|is|are|was|were|'m|'re|'s worried about
        am|is|are|was|were|'m|'re|'s afraid of
        am|is|are|was|were|'m|'re|'s proud of
        am|is|are|was|were|'m|'re|'s famous for
        am|is|are|was|were|'m|'re|'s allergic to
        am|is|are|was|were|'m|'re|'s addicted to
        am|is|are|was|were|'m|'re|'s supposed to
        am|is|are|was|were|'m|'re|'s about to
        am|is|are|was|were|'m|'re|'s busy <ING>
        am|is|are|was|were|'m|'re|'s based on
        am|is|are|was|were|'m|'re|'s aware of
        am|is|are|was|were|'m|'re|'s capable of
        am|is|are|was|were|'m|'re|'s into
        am|is|are|was|were|'m|'re|'s up to <OBJ>
        am|is|are|was|were|'m|'re|'s worth <ING>
        carry* on
        carry* out
        catch* up with
        catch* up on
        check* in
        check* out
        cheer* up
        come* across
        come* up with
        come* true
        come* over
        count* on
        cut* down on
        calm* down
        deal* with
        dress* up
        drop* by
        drop* off
        eat* out
        end* up <ING>
        fall* asleep
        fall* in love with
        fall* apart
        figure* out
        fill* in
        fill* out
        find* out
        go* on a diet
        go* on a trip
        go* through
        go* wrong
        go* for a walk
        go* for a run
        go* sightseeing
        grow* up
        hang* out with
        hang* on
        hold* on
        keep* in touch
        keep* up with
        keep* an eye on
        keep* <POSS> promise
        keep* in mind
        let* <OBJ> down
        let* <OBJ> know
        live* up to
        look* after
        look* for
        look* into
        look* up to
        look* down on
        make* up <POSS> mind
        make* up for
        make* sure
        make* sense
        make* a difference
        make* fun of
        make* it to
        make* do with
        miss* out on
        move* on
        pass* away
        pay* attention to
        pay* off
        pick* up
        point* out
        put* off
        put* up with
        put* on weight
        rely* on
        run* into
        run* out of
        set* up
        settle* down
        show* off
        show* up
        sign* up for
        sleep* in
        slow* down
        speak* up
        split* the bill
        stay* up late
        stand* out
        stick* to
        sum* up
        sign* up
        take* advantage of
        take* after
        take* care of
        take* into account
        take* it easy
        take* off
        take* over
        take* part in
        take* place
        take* up
        take* turns
        take* a day off
        take* <NUM> days off
        take* <POSS> time
        take* a break
        take* a nap
        take* responsibility for
        take* for granted
        think* twice
        think* outside the box
        throw* away
        turn* down
        turn* into
        turn* off
        turn* on
        turn* out
        try* on
        wake* up
        warm* up
        wear* out
        work* out
        work* on
        work* overtime
        worry* about
        """

    private static let collocations = """
        ask* for directions
        ask* for help
        apply* for
        break* the ice
        break* a habit
        break* the law
        catch* a cold
        catch* the bus
        come* to a conclusion
        depend* on
        do* <POSS> best
        do* the dishes
        do* the laundry
        do* business
        do* research
        do* <OBJ> a favor
        do* some shopping
        have* trouble <ING>
        have* difficulty <ING>
        have* a hard time <ING>
        have* a sweet tooth
        have* a good time
        have* nothing to do with
        have* a lot in common
        have* something in common
        have* a point
        have* second thoughts
        have* an impact on
        have* mixed feelings
        have* a word with
        having trouble <ING>
        has trouble <ING>
        had trouble <ING>
        had a hard time <ING>
        had a great time
        had a good time
        hit* the road
        hit* the books
        join* a club
        leave* a message
        lose* weight
        lose* track of time
        lose* <POSS> temper
        lose* interest in
        make* a decision
        make* a living
        make* a mistake
        make* a plan
        make* a reservation
        make* an appointment
        make* an effort
        make* friends with
        make* money
        make* progress
        make* room for
        make* the most of
        make* the bed
        meet* the deadline
        play* a role in
        play* an important role
        prefer* <ING> to
        raise* awareness
        reach* an agreement
        save* money
        save* time
        solve* the problem
        spend* time <ING>
        spend* time with
        strike* a balance
        suffer* from
        tell* a lie
        tell* the truth
        tell* the difference
        waste* time
        watch* out
        win* the lottery
        gain* weight
        gain* experience
        go* out of business
        go* viral
        earn* a living
        face* the music
        follow* the rules
        get* a promotion
        get* a refund
        get* married
        get* engaged
        get* a haircut
        heavy traffic
        heavy rain
        rush hour
        public transportation
        cost of living
        climate change
        quality of life
        work life balance
        work-life balance
        peer pressure
        social media
        common sense
        comfort zone
        first impression
        side effect
        full-time job
        part-time job
        a piece of advice
        room for improvement
        out of date
        out of order
        out of control
        out of the question
        out of work
        in good shape
        out of shape
        under pressure
        under control
        up to date
        in a hurry
        in a good mood
        in a bad mood
        in advance
        in common
        in detail
        in public
        in private
        in trouble
        in the long run
        in the meantime
        in the middle of
        on purpose
        on sale
        on schedule
        on vacation
        on a budget
        on a diet
        on a daily basis
        on average
        on the phone
        on the way
        on <POSS> way
        on <POSS> own
        by accident
        by mistake
        by heart
        by myself
        at least
        at first sight
        at risk
        at ease
        at work
        """

    private static let idioms = """
        a piece of cake
        a big fan of
        a waste of time
        a blessing in disguise
        a double-edged sword
        a win-win situation
        all of a sudden
        all the time
        as soon as possible
        as far as i know
        as a matter of fact
        better late than never
        beat around the bush
        bite the bullet
        burn the midnight oil
        call it a day
        can't afford to
        can't help <ING>
        can't stand
        can't wait to
        cost an arm and a leg
        couldn't agree more
        couch potato
        cut corners
        cross my fingers
        easier said than done
        every now and then
        every once in a while
        feel* like <ING>
        feel* free to
        feel* at home
        feel* under the weather
        food for thought
        for free
        for sure
        for the first time
        for the time being
        from now on
        from time to time
        get* cold feet
        go* the extra mile
        had better
        'd better
        would rather
        'd rather
        hit the nail on the head
        how come
        i 'm all ears
        if i were you
        in the same boat
        it 's about time
        it depends
        it 's up to you
        jump to conclusions
        keep your fingers crossed
        kill two birds with one stone
        kill time
        last but not least
        learn* by heart
        learn* the hard way
        let the cat out of the bag
        long time no see
        long story short
        look* on the bright side
        mind <POSS> own business
        needless to say
        never mind
        no big deal
        no matter what
        no matter how
        no wonder
        no pain no gain
        not to mention
        not my cup of tea
        off the beaten track
        on cloud nine
        on the tip of my tongue
        on top of that
        once in a blue moon
        once in a lifetime
        over the moon
        piece of cake
        practice makes perfect
        pull <POSS> leg
        right away
        see* eye to eye
        sleep on it
        so far so good
        sooner or later
        speak* of the devil
        take* it for granted
        the other day
        the sooner the better
        the tip of the iceberg
        there 's no point in <ING>
        time flies
        to be honest
        to tell you the truth
        to make matters worse
        to some extent
        twist <POSS> arm
        under the weather
        up in the air
        what a coincidence
        what a pity
        when it comes to
        without a doubt
        word of mouth
        worth a try
        you can say that again
        """

    private static let connectors = """
        according to
        apart from
        as a result
        as long as
        as soon as
        as well as
        as if
        as though
        at the same time
        because of
        by the time
        by the way
        compared to
        compared with
        despite
        due to
        even if
        even though
        first of all
        for example
        for instance
        if possible
        in addition to
        in addition
        in case
        in conclusion
        in contrast
        in fact
        in general
        in my opinion
        in order to
        in other words
        in particular
        in spite of
        in terms of
        instead of
        more and more
        more or less
        not only
        on the contrary
        on the one hand
        on the other hand
        so that
        such as
        thanks to
        that 's why
        to begin with
        what 's more
        with regard to
        in the first place
        """
}
