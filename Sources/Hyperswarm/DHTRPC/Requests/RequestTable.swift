import CompactEncoding

/// Requests that wait for their response: numbering, repetition, time-out, matching and congestion.
///
///     submit ──► queue ──► sent 1 ──1 s──► sent 2 ──1 s──► … sent n ──1 s──► failed
///                            │               │                 │
///                            └──── a response from the asked address ───► answered
///
/// Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, sections 3.5 and 3.8.
struct RequestTable: Sendable {
    /// Time without an answer until a request is sent again.
    static let timeout = Duration.seconds(1)
    static let slotLength = Duration.milliseconds(750)
    static let maximumSendsPerSlot = 80
    static let maximumSendsOutstanding = 160
    static let maximumQueueLength = 4096

    struct Entry: Sendable {
        var id: RPCRequestID
        var socket: SocketID
        var message: RPCRequest
        var bytes: [UInt8]
        var maximumSends: Int
        var sends = 0
        var firstSent = Duration.zero
        var due = Duration.zero
        /// Number of the slot of the newest send.
        var slot = 0
        /// True after a cancellation. The answer still frees room for another request.
        var isCancelled = false
    }

    enum Outcome: Sendable {
        case send(Entry)
        /// The first second passed without an answer.
        case slow(RPCRequestID)
        case failed(Entry)
    }

    private var inFlight: [UInt16: Entry] = [:]
    private var numbers: [RPCRequestID: UInt16] = [:]
    private var queue: [Entry] = []
    private var queueHead = 0
    private var nextNumber: UInt16
    private var slots = [0, 0, 0, 0]
    private var slotNumber = 0
    private var slotEnd: Duration

    init(firstNumber: UInt16, now: Duration) {
        nextNumber = firstNumber
        slotEnd = now + Self.slotLength
    }

    var queueLength: Int { queue.count - queueHead }

    /// Enqueues a request; false if the queue is full.
    mutating func submit(_ entry: Entry) -> Bool {
        guard queueLength < Self.maximumQueueLength, inFlight.count < 0x4000 else { return false }
        queue.append(entry)
        return true
    }

    /// Cancels a request: it is not sent again. Its answer still counts for congestion and frees its transaction id.
    mutating func cancel(_ id: RPCRequestID) {
        if let number = numbers.removeValue(forKey: id) {
            inFlight[number]?.isCancelled = true
        } else if let index = queue[queueHead...].firstIndex(where: { $0.id == id }) {
            queue.remove(at: index)
        }
    }

    /// The next time at which ``advance(to:)`` has work; nil without requests.
    var deadline: Duration? {
        var deadline = inFlight.values.map(\.due).min()
        if queueLength > 0 { deadline = min(deadline ?? slotEnd, slotEnd) }
        return deadline
    }

    /// Sends queued requests, repeats due ones, and fails those that were sent ``Entry/maximumSends`` times.
    mutating func advance(to now: Duration) -> [Outcome] {
        rotateSlots(to: now)
        var outcomes: [Outcome] = []
        for (number, var entry) in inFlight.filter({ $0.value.due <= now }).sorted(by: { $0.value.due < $1.value.due }) {
            if entry.isCancelled {
                inFlight[number] = nil
                continue
            }
            if entry.sends == 1 { outcomes.append(.slow(entry.id)) }
            if entry.sends >= entry.maximumSends {
                inFlight[number] = nil
                numbers[entry.id] = nil
                outcomes.append(.failed(entry))
            } else if hasRoom {
                noteSend(&entry, now: now)
                inFlight[number] = entry
                outcomes.append(.send(entry))
            } else {
                entry.due = slotEnd
                inFlight[number] = entry
            }
        }
        while queueLength > 0, hasRoom {
            var entry = queue[queueHead]
            queueHead += 1
            while inFlight[nextNumber] != nil { nextNumber &+= 1 }
            entry.message.transactionID = nextNumber
            nextNumber &+= 1
            entry.bytes = entry.message.encode()
            entry.firstSent = now
            noteSend(&entry, now: now)
            inFlight[entry.message.transactionID] = entry
            numbers[entry.id] = entry.message.transactionID
            outcomes.append(.send(entry))
        }
        if queueHead > 64 || queueLength == 0 {
            queue.removeFirst(queueHead)
            queueHead = 0
        }
        return outcomes
    }

    /// Returns the request that a response answers, matched by transaction id and source address; nil if there is none.
    mutating func answer(_ response: RPCResponse, from source: PeerAddress) -> Entry? {
        guard let entry = inFlight[response.transactionID], entry.message.to == source else { return nil }
        inFlight[response.transactionID] = nil
        numbers[entry.id] = nil
        if slotNumber - entry.slot < slots.count, slots[entry.slot & 3] > 0 { slots[entry.slot & 3] -= 1 }
        return entry
    }

    /// Removes all requests and returns them.
    mutating func removeAll() -> [Entry] {
        let all = Array(inFlight.values) + queue[queueHead...]
        inFlight = [:]
        numbers = [:]
        queue = []
        queueHead = 0
        return all
    }

    private var hasRoom: Bool {
        slots[slotNumber & 3] < Self.maximumSendsPerSlot && slots.reduce(0, +) < Self.maximumSendsOutstanding
    }

    private mutating func noteSend(_ entry: inout Entry, now: Duration) {
        entry.sends += 1
        entry.due = now + Self.timeout
        entry.slot = slotNumber
        slots[slotNumber & 3] += 1
    }

    private mutating func rotateSlots(to now: Duration) {
        guard now >= slotEnd else { return }
        if now - slotEnd > Self.slotLength * 4 {
            slots = [0, 0, 0, 0]
            slotNumber += 4
            slotEnd = now + Self.slotLength
            return
        }
        while now >= slotEnd {
            slotNumber += 1
            slots[slotNumber & 3] = 0
            slotEnd += Self.slotLength
        }
    }
}

/// Identifier of one request of a node, never reused.
public struct RPCRequestID: Hashable, Sendable {
    let number: UInt64
}

/// Identifier of one socket of a node.
public struct SocketID: Hashable, Sendable {
    public var number: Int

    public init(number: Int) {
        self.number = number
    }

    /// The socket for the node's own requests.
    public static let main = SocketID(number: 0)
}
