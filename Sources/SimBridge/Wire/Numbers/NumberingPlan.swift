import WireKit

/// A country's dialling rules, which determine if two telephone numbers are the same.
///
/// Area codes are left out: they change often and decide nothing. Sources: ITU-T E.164 and its list of assigned country codes;
/// ITU-T E.212 and its list of mobile country codes; the ITU's Operational Bulletin, "Dialling procedures".
public struct NumberingPlan: Hashable, Sendable {
    /// The country code, such as `44`.
    public let callingCode: String
    /// The digits before a national number that are not dialled from abroad. Italy has none: its zero belongs to the number.
    let trunkPrefixes: [String]
    /// The digits before a country code in place of `00`, which is valid in most of the world.
    let internationalPrefixes: [String]
    /// The lengths of a complete number without a trunk prefix; nil if digits without a trunk prefix are only a part of a number.
    let wholeLengths: ClosedRange<Int>?

    /// - Parameter callingCode: A country code of E.164.
    public init?(callingCode: String) {
        guard let plan = Self.all[callingCode] else { return nil }
        self = plan
    }

    /// The plan of the country that issued a SIM card; nil for an unassigned code.
    ///
    /// - Parameter mobileCountryCode: The first three digits of a card's IMSI, and of the code of a network operator.
    public init?(mobileCountryCode: String) {
        guard let code = Self.callingCodes[String(mobileCountryCode.prefix(3))] else { return nil }
        self.init(callingCode: code)
    }

    /// The plan of an international number, such as `+442079460000`; nil for other numbers and for unassigned country codes.
    public init?(of number: String) {
        guard number.first == "+", let plan = Self.plan(digits: number.dropFirst()) else { return nil }
        self = plan
    }

    /// Returns the plan of an international number without its `+`. No country code is a prefix of another.
    private static func plan(digits: Substring) -> NumberingPlan? {
        for length in 1...3 where digits.count > length { if let plan = all[String(digits.prefix(length))] { return plan } }
        return nil
    }

    // MARK: International form

    /// Returns the digits after the country code of an international number without its `+`.
    private func national(_ digits: Substring) -> Substring { digits.dropFirst(callingCode.count) }

    /// Removes the trunk prefix after a country code: `+82010…` becomes `+8210…`. Returns other numbers unchanged.
    static func withoutTrunkPrefix(_ number: String) -> String {
        guard let plan = NumberingPlan(of: number), plan.trunkPrefixes.contains("0"),
            plan.national(number.dropFirst()).hasPrefix("0")
        else { return number }
        return "+" + plan.callingCode + plan.national(number.dropFirst()).dropFirst()
    }

    /// The lengths of a national number after its trunk prefix. Shorter numbers belong to services.
    private var nationalLengths: ClosedRange<Int> { 6...(wholeLengths?.upperBound ?? 13) }
    /// The lengths of a number with its country code (E.164, section 6). Shorter numbers are rare.
    private static let internationalLengths = 8...15

    /// Returns the international form of a number, by which numbers are compared: `+`, country code and national number.
    ///
    /// - Parameters:
    ///   - number: A result of ``PhoneNumber/checked(_:)``.
    ///   - plan: The plan of the country in which the number was dialled or shown; nil if unknown.
    /// - Returns: nil for a service's number, for a part of a number, and for a national number of an unknown country.
    static func internationalForm(of number: String, in plan: NumberingPlan?) -> String? {
        if number.first == "+" { return comparable(number) }
        guard number.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        for prefix in (plan?.internationalPrefixes ?? []) + ["00"] where number.hasPrefix(prefix) {
            let rest = number.dropFirst(prefix.count)
            if internationalLengths.contains(rest.count), self.plan(digits: rest) != nil {
                return comparable(withoutTrunkPrefix("+" + rest))
            }
        }
        return plan?.international(number[...]).map(comparable)
    }

    private func international(_ number: Substring) -> String? {
        for prefix in trunkPrefixes where number.hasPrefix(prefix) {
            let rest = number.dropFirst(prefix.count)
            if isNational(rest, nationalLengths) { return "+" + callingCode + rest }
        }
        if let wholeLengths, isNational(number, wholeLengths) { return "+" + callingCode + number }
        // Networks and people leave out the plus.
        if number.hasPrefix(callingCode), wholeLengths != nil || number.count > 10,
            isNational(national(number), wholeLengths ?? 9...12)
        {
            return "+" + number
        }
        return nil
    }

    /// True for five digits or more: neither an international number nor a service's short number nor a sender's name.
    static func mayBeNational(_ number: String) -> Bool {
        number.utf8.count >= 5 && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private func isNational(_ number: Substring, _ lengths: ClosedRange<Int>) -> Bool {
        if callingCode == "1" { return number.count == 10 && ("2"..."9").contains(number.first ?? "0") }
        return lengths.contains(number.count) && (trunkPrefixes.isEmpty || number.first != "0")
    }

    /// Removes the digit between country code and mobile number that Mexico and Argentina abolished and some networks still show.
    private static func comparable(_ number: String) -> String {
        for (prefix, callingCode) in [("+521", "+52"), ("+549", "+54")] where number.hasPrefix(prefix) && number.count == 14 {
            return callingCode + number.dropFirst(prefix.count)
        }
        return number
    }
}

// MARK: Table

extension NumberingPlan {
    private static let all: [String: NumberingPlan] = Dictionary(
        uniqueKeysWithValues: rows.map { row in
            let lengths = row.whole.split(separator: "-").compactMap { Int($0) }
            return (
                row.code,
                NumberingPlan(
                    row.code, trunk: row.trunk.isEmpty ? [] : row.trunk.split(separator: ",").map(String.init),
                    international: row.international.split(separator: ",").map(String.init),
                    whole: lengths.first.map { $0...(lengths.last ?? $0) })
            )
        })

    /// Country codes by mobile country code.
    private static let callingCodes: [String: String] = Dictionary(
        uniqueKeysWithValues: rows.flatMap { row in row.mobile.map { (String($0), row.code) } })

    private init(_ code: String, trunk: [String], international: [String], whole: ClosedRange<Int>?) {
        (callingCode, trunkPrefixes, internationalPrefixes, wholeLengths) = (code, trunk, international, whole)
    }

    private struct Row {
        var code: String
        var trunk: String
        var international: String
        var whole: String
        var mobile: [Substring]

        init(_ line: Substring) {
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            func field(_ index: Int) -> String { fields[index] == "-" ? "" : String(fields[index]) }
            (code, trunk, international, whole) = (String(fields[0]), field(1), field(2), field(3))
            mobile = fields.count > 4 ? fields[4].split(separator: ",") : []
        }
    }

    private static let rows = table.split(separator: "\n").map { Row($0) }

    /// Columns: country code, trunk prefixes, international prefixes, lengths of complete numbers, mobile country codes; `-`: none.
    private static let table = """
        1 1 011 10 302,310,311,312,313,314,315,316,330,332,338,342,344,346,348,350,352,354,356,358,360,364,365,366,370,374,376,534,535,544
        7 8 810 10 250,401
        20 0 - - 602
        27 0 - - 655
        30 - - 10 202
        31 0 - - 204
        32 0 - - 206
        33 0 - - 208
        34 - - 9 214
        36 06 - - 216
        39 - - 8-11 222,225
        40 0 - - 226
        41 0 - - 228
        43 0 - - 232
        44 0 - - 234,235
        45 - - 8 238
        46 0 - - 240
        47 - - 8 242
        48 - - 9 260
        49 0 - - 262
        51 0 - 9 716
        52 01 - 10 334
        53 0 119 8 368
        54 0 - 10 722
        55 0 0014,0015,0021,0031,0041 10-11 724
        56 - - 9 730
        57 0 005,007,009 10 732
        58 0 - 10 734
        60 0 - - 502
        61 0 0011 - 505
        62 0 001,007,008,01017 - 510
        63 0 - 10 515
        64 0 - - 530
        65 - 001,002,008 8 525
        66 0 001,004,005,006,007,008,009 - 520
        81 0 010 - 440,441
        82 0 00700,00755,001,002,005,006,008 - 450
        84 0 - - 452
        86 0 - 11 460,461
        90 0 - 10 286
        91 0 - 10 404,405,406
        92 0 - - 410
        93 0 - - 412
        94 0 - - 413
        95 0 - - 414
        98 0 - - 432
        211 0 - - 659
        212 0 - - 604
        213 0 - - 603
        216 - - 8 605
        218 0 - - 606
        220 - - 7 607
        221 - - 9 608
        222 - - 8 609
        223 - - 8 610
        224 - - 9 611
        225 - - 10 612
        226 - - 8 613
        227 - - 8 614
        228 - - 8 615
        229 - - 8-10 616
        230 - 020 7-8 617
        231 0 - - 618
        232 0 - - 619
        233 0 - - 620
        234 0 009 - 621
        235 - - 8 622
        236 - - 8 623
        237 - - 9 624
        238 - - 7 625
        239 - - 7 626
        240 - - 9 627
        241 - - 8 628
        242 - - 9 629
        243 0 - - 630
        244 - - 9 631
        245 - - 9 632
        248 - - 7 633
        249 0 - - 634
        250 0 - - 635
        251 0 - - 636
        252 0 - - 637
        253 - - 8 638
        254 0 000 - 639
        255 0 000 - 640
        256 0 000 - 641
        257 - - 8 642
        258 - - 8-9 643
        260 0 - - 645
        261 0 - - 646
        262 0 - - 647
        263 0 - - 648
        264 0 - - 649
        265 0 - - 650
        266 - - 8 651
        267 - - 7-8 652
        268 - - 8 653
        269 - - 7 654
        290 - - 5 658
        291 0 - - 657
        297 - - 7 363
        298 - - 6 288
        299 - - 6 290
        350 - - 8 266
        351 - - 9 268
        352 - - 6-9 270
        353 0 - - 272
        354 - - 7 274
        355 0 - - 276
        356 - - 8 278
        357 - - 8 280
        358 0 990,994,999 - 244
        359 0 - - 284
        370 0,8 - - 246
        371 - - 8 247
        372 - - 7-8 248
        373 0 - - 259
        374 0 - - 283
        375 80,8 810 - 257
        376 - - 6 213
        377 - - 8-9 212
        378 - - 6-10 292
        380 0 - - 255
        381 0 - - 220
        382 0 - - 297
        383 0 - - 221
        385 0 - - 219
        386 0 - - 293
        387 0 - - 218
        389 0 - - 294
        420 - - 9 230
        421 0 - - 231
        423 - - 7 295
        500 - - 5 750
        501 - - 7 702
        502 - - 8 704
        503 - - 8 706
        504 - - 8 708
        505 - - 8 710
        506 - - 8 712
        507 - - 7-8 714
        508 0 - - 308
        509 - - 8 372
        590 0 - - 340
        591 0 - 8 736
        592 - 001 7 738
        593 0 - - 740
        594 0 - - 742
        595 0 - - 744
        596 0 - -
        597 - - 6-7 746
        598 0 - 8 748
        599 - - 7-8 362
        670 - - 7-8 514
        672 - - 6
        673 - - 7 528
        674 - - 7 536
        675 - - 7-8 537
        676 - - 7 539
        677 - - 7 540
        678 - - 7 541
        679 - - 7 542
        680 - 011 7 552
        681 - - 6 543
        682 - - 5 548
        683 - - 7 555
        685 - 0 7 549
        686 - - 8 545
        687 - - 6 546
        688 - - 7 553
        689 - - 8 547
        690 - - 7 554
        691 - 011 7 550
        692 - 011 7 551
        800 - - -
        808 - - -
        850 0 - - 467
        852 - 001 8 454
        853 - - 8 455
        855 0 001,007,008 - 456
        856 0 - - 457
        870 - - - 901
        878 - - -
        880 0 - - 470
        881 - - -
        882 - - -
        883 - - -
        886 0 002,005,006,007,009 - 466
        888 - - -
        960 - - 7 472
        961 0 - - 415
        962 0 - - 416
        963 0 - - 417
        964 0 - - 418
        965 - - 8 419
        966 0 - - 420
        967 0 - - 421
        968 - - 8 422
        970 0 - -
        971 0 - - 424,430,431
        972 0 012,013,014,018 - 425
        973 - - 8 426
        974 - - 8 427
        975 - - 8 402
        976 0 001,002 8 428
        977 0 - 10 429
        979 - - -
        992 - 810 9 436
        993 8 810 - 438
        994 0 - - 400
        995 0 - - 282,289
        996 0 - - 437
        998 - - 9 434
        """
}
