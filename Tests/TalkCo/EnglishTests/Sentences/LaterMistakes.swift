/// Longer utterances with errors, written after the rules. See `Docs/Marker-Quality.md`.
enum LaterMistakes {
    static let grammar = """
        My roommate is from Vietnam and she {teach => teaches} me how to cook noodle soup.
        I think the most important thing {are => is} to keep practicing.
        When we arrived at the hotel, the room {is => was} not ready yet.
        Actually I never {try => tried | have tried} this kind of food before I moved here.
        My boss wants everyone {attend => to attend} the meeting on Monday.
        It's hard to find {parking space => a parking space} near my office.
        I used to work in {insurance company => an insurance company} before this job.
        These days I'm trying to eat less {meats => meat}.
        The exhibition was amazing, I {take => took} so many pictures.
        I have to take care {my => of my} parents because they are getting old.
        We had dinner {in => at} a friend's house.
        She asked me {that if => if} I wanted to join them.
        I don't think so many people {will agreed => will agree} with that.
        We should protect our environment for {the next generations => the next generation | future generations}.
        There was a typhoon so the flight {canceled => was canceled}.
        My computer {is broken down => broke down | has broken down} yesterday.
        I was so nervous that I {forget => forgot} my name.
        If I were rich, I {will => would} buy a house by the sea.
        The tickets are sold out, so we {can't => couldn't} go yesterday.
        Nowadays {smartphone is => smartphones are} everywhere.
        He doesn't have {any brother => any brothers}.
        My dream is {become => to become} a pilot.
        The weather in Taiwan is {hotter and humid => hotter and more humid} than in Canada.
        I didn't expect that it {is => was} so difficult.
        My daughter is three {year => years} old.
        It's the first time for me to {visiting => visit} this city.
        You can {to try => try} the beef noodles at that place.
        """

    static let sentenceStructure = """
        My friend recommended a restaurant {is => that is | which is} near the station.
        The reason I like it {because => is because | is that} the staff is friendly.
        I {never have been => have never been} to Australia.
        I don't know {he will come or not => whether he will come | if he will come} to the party.
        Every time when I go there, {always see => I always see} the same waiter.
        {Although he studied hard. But => Although he studied hard,} he failed the exam.
        I want to know {is there => if there is | whether there is} a bus to the airport.
        Sorry, I {not => am not | 'm not} sure about the schedule.
        What {should we can => can we} do to solve this problem?
        I {also am => am also} a vegetarian.
        Do you know where {can I => I can} buy a SIM card?
        """

    static let naturalness = """
        After work I was very tired so I just {go back to => went} home and slept.
        My {English speaking is => spoken English is} not good.
        Today I {am very feel => feel very} happy.
        {In these days => These days}, I'm busy with my work.
        I will {give you contact => contact you} next week.
        I {have a very good sleep => slept very well} last night.
        """

    static let vocabulary = """
        The {scene => view | scenery} from the top of the mountain is beautiful.
        I need to {reserve => save} some money for my trip.
        He {suggested => advised | told} me not to drink so much coffee.
        I {touched => was moved} by the movie.
        Please {wear => put on} your seat belt before we leave.
        The teacher {checked => called} the roll at the beginning of class.
        I {watched => saw} my old friend on the street yesterday.
        """
}
