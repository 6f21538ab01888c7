import Foundation
import NetworkingKit
import Pager2077Wire
package import PlatformKit
import WireKit

extension Pager {
    /// Returns the pager of a demonstration, with invented friends who answer.
    ///
    /// - Parameter phone: See `Phone.demonstration()`.
    package static func demonstration(on phone: Phone, words: DemonstrationWords) -> Pager {
        phone.instances.instance {
            let script = PagerScript(words, clock: phone.clock)
            var phone = phone
            phone.keychain = PagerScript.keychain
            return Pager(phone: phone, service: script.service.remote)
        }
    }
}

/// The service of a demonstration, as far as the app calls it.
private actor PagerScript {
    private static let me = OwnUser(
        id: User.ID("demonstration"), hexCode: HexCode(0xBF01_0BA2), displayName: nil, status: .online, lastSeen: .now,
        createdAt: .now, updatedAt: .now, deviceToken: "demonstration", liveActivityToken: nil)
    private static let token = "demonstration"

    /// The keychain of a phone that is registered.
    static var keychain: MemoryKeychain {
        let credentials = Credentials(
            userId: me.id, hexCode: me.hexCode, authToken: token, deviceToken: me.deviceToken, displayName: nil)
        return MemoryKeychain(credentials.secret)
    }

    private let words: DemonstrationWords
    private let clock: any Clock<Duration>
    private let reactions = ScriptedReactions()
    private var me = PagerScript.me
    private var friends: [Friend] = []
    private var requests: [PendingFriendRequest] = []
    private var blocked: [BlockedUser] = []
    /// The messages by friend, the oldest first.
    private var messages: [User.ID: [Message]] = [:]
    private var messageCount = 0
    private var answerCount = 0
    private var seq: Int64 = 0
    private var write: (@Sendable (String) -> Void)?

    init(_ words: DemonstrationWords, clock: any Clock<Duration>) {
        (self.words, self.clock) = (words, clock)
        let friend = Self.friend(words.friend, HexCode(0x1A2B_3C4D))
        let other = Self.friend(words.otherFriend, HexCode(0x0050_77E5), .offline)
        friends = [friend, other]
        let stranger = Self.friend(words.stranger, HexCode(0x2077_CAFE))
        requests = [
            PendingFriendRequest(
                request: FriendRequest(
                    id: FriendRequest.ID("request"), fromUserId: stranger.id, toUserId: Self.me.id, status: .pending,
                    createdAt: .now, updatedAt: .now),
                fromUserHexCode: stranger.hexCode, fromUserDisplayName: stranger.displayName)
        ]
        var count = 0
        for (person, texts, minutes) in [(friend, words.messages, 12), (other, words.otherMessages, 60 * 26)] {
            messages[person.id] = texts.enumerated().map { index, text in
                let isOwn = index % 2 == 1
                count += 1
                return Message(
                    id: Message.ID("message-\(count)"), senderId: isOwn ? Self.me.id : person.id,
                    recipientId: isOwn ? person.id : Self.me.id, text: text,
                    // The last message of the first friend is unread.
                    isRead: person.id == other.id || index < texts.count - 1,
                    timestamp: Timestamp.now - .seconds(60 * (minutes - index)), senderDisplayName: person.displayName ?? "",
                    delivery: isOwn ? .shown : nil)
            }
        }
        messageCount = count
    }

    private static func friend(_ name: String?, _ code: HexCode, _ status: User.Status = .online) -> Friend {
        Friend(
            id: User.ID("friend-\(code)"), hexCode: code, displayName: name, status: status,
            lastSeen: Timestamp.now - .seconds(60 * 60))
    }

    // MARK: Calls

    nonisolated var service: ScriptedService {
        typealias E = PagerEndpoints
        func on<Body, Value: Encodable>(
            _ endpoint: Endpoint<Body, Value>, _ answer: @escaping @Sendable (ScriptedService.Call) async throws -> Value
        ) -> ScriptedService.Route {
            .init(endpoint) { call in
                do {
                    return try .json(Success(data: try await answer(call)))
                } catch let refusal as Refusal {
                    return try Self.failure(refusal.code, status: 400)
                }
            }
        }
        return ScriptedService(
            [
                on(E.register) { _ in
                    Registered(userId: Self.me.id, hexCode: Self.me.hexCode, token: Self.token)
                },
                on(E.me) { _ in await self.me },
                on(E.setStatus) { _ in Done() }, on(E.setLiveActivityToken) { _ in Done() },
                on(E.setPushDevice) { _ in Done() }, on(E.removePushDevice) { _ in Done() },
                on(E.pushOffer) { _ in PushOffer(webPushKey: nil) },
                on(E.setDisplayName) { try await self.rename($0.body(of: E.setDisplayName).displayName) },
                on(E.friends) { _ in FriendList(friends: await self.friends) },
                on(E.removeFriend) { await self.remove(User.ID($0.parameters["friendId"] ?? "")) },
                on(E.pendingRequests) { _ in PendingFriendRequests(requests: await self.requests) },
                on(E.requestFriend) { try await self.request($0.body(of: E.requestFriend).toHexCode) },
                on(E.acceptRequest) { try await self.accept(FriendRequest.ID($0.parameters["requestId"] ?? "")) },
                on(E.rejectRequest) { await self.reject(FriendRequest.ID($0.parameters["requestId"] ?? "")) },
                on(E.sendMessage) { try await self.send($0.body(of: E.sendMessage)) },
                on(E.history) { await self.history(with: User.ID($0.parameters["friendId"] ?? "")) },
                on(E.conversations) { _ in await self.conversations },
                on(E.serviceOperator) { _ in ServiceOperator(contact: nil) },
                on(E.blocks) { _ in BlockList(users: await self.blocked) },
                on(E.block) { await self.block(User.ID($0.parameters["userId"] ?? "")) },
                on(E.unblock) { await self.unblock(User.ID($0.parameters["userId"] ?? "")) },
                on(E.report) { await self.take(try $0.body(of: E.report)) },
            ], refusal: (try? Self.failure(.forbidden, status: 403)) ?? .events(Data()),
            serve: { await self.serve($0) })
    }

    private struct Refusal: Error { let code: ErrorCode }

    private static func failure(_ code: ErrorCode, status: Int) throws -> ScriptedService.Reply {
        try .json(Failure(.init(code: code.rawValue, message: "This is a demonstration.")), status: status)
    }

    private func rename(_ name: String) -> NamedUser {
        me.displayName = name
        return NamedUser(userId: me.id, hexCode: me.hexCode, displayName: name)
    }

    private func remove(_ friend: User.ID) -> Done {
        friends.removeAll { $0.id == friend }
        messages[friend] = nil
        return Done()
    }

    private func block(_ user: User.ID) -> Done {
        if let friend = friends.first(where: { $0.id == user }) {
            blocked.insert(
                BlockedUser(id: user, hexCode: friend.hexCode, displayName: friend.displayName, blockedAt: .now), at: 0)
        }
        if let request = requests.first(where: { $0.request.fromUserId == user }) {
            blocked.insert(
                BlockedUser(
                    id: user, hexCode: request.fromUserHexCode, displayName: request.fromUserDisplayName, blockedAt: .now), at: 0)
        }
        friends.removeAll { $0.id == user }
        requests.removeAll { $0.request.fromUserId == user }
        return Done()
    }

    private func unblock(_ user: User.ID) -> Done {
        blocked.removeAll { $0.id == user }
        return Done()
    }

    private func take(_ report: ReportCreation) -> Done { report.blocks ? block(report.userId) : Done() }

    private func accept(_ id: FriendRequest.ID) throws -> AcceptedFriend {
        guard let index = requests.firstIndex(where: { $0.id == id }) else { throw Refusal(code: .notFound) }
        let request = requests.remove(at: index)
        let friend = Friend(
            id: request.request.fromUserId, hexCode: request.fromUserHexCode, displayName: request.fromUserDisplayName,
            status: .online, lastSeen: .now)
        friends.append(friend)
        return AcceptedFriend(friend: friend)
    }

    private func reject(_ id: FriendRequest.ID) -> Done {
        requests.removeAll { $0.id == id }
        return Done()
    }

    /// Sends a friend request, which every user accepts.
    private func request(_ text: String) throws -> FriendRequest {
        guard let code = HexCode(rawValue: text) else { throw Refusal(code: .invalidHexCode) }
        if code == me.hexCode || friends.contains(where: { $0.hexCode == code }) { throw Refusal(code: .friendshipExists) }
        let friend = Self.friend(nil, code)
        reactions.add {
            guard await self.pause(.seconds(3)) else { return }
            await self.add(friend)
        }
        return FriendRequest(
            id: FriendRequest.ID("to-\(code)"), fromUserId: me.id, toUserId: friend.id, status: .pending, createdAt: .now,
            updatedAt: .now)
    }

    private func add(_ friend: Friend) {
        guard !friends.contains(where: { $0.id == friend.id }) else { return }
        friends.append(friend)
        report(.friendAccepted(friend))
    }

    private func history(with friend: User.ID) -> MessageHistory {
        let known = messages[friend] ?? []
        messages[friend] = known.map { message in
            var read = message
            if read.senderId == friend { read.isRead = true }
            return read
        }
        return MessageHistory(messages: messages[friend] ?? [])
    }

    private var conversations: ConversationList {
        ConversationList(
            conversations: friends.compactMap { friend in
                let known = messages[friend.id] ?? []
                let unread = known.filter { $0.senderId == friend.id && !$0.isRead }.count
                guard unread > 0, let last = known.last else { return nil }
                return Conversation(
                    friendId: friend.id, friendHexCode: friend.hexCode, friendDisplayName: friend.displayName,
                    unreadCount: unread,
                    lastMessage: .init(id: last.id, senderId: last.senderId, text: last.text, timestamp: last.timestamp))
            })
    }

    // MARK: Messages

    private func send(_ creation: MessageCreation) throws -> MessageReceipt {
        guard let friend = friends.first(where: { $0.id == creation.recipientId }) else { throw Refusal(code: .notFriends) }
        let id = Message.ID(creation.clientId ?? "")
        if let known = messages[friend.id]?.first(where: { $0.id == id }) {
            return MessageReceipt(messageId: id, timestamp: known.timestamp)
        }
        let message = Message(
            id: id, senderId: me.id, recipientId: friend.id, text: creation.text, isRead: false, timestamp: .now,
            senderDisplayName: me.displayName ?? me.hexCode.rawValue)
        messages[friend.id, default: []].append(message)
        reactions.add {
            guard await self.pause(.seconds(1)) else { return }
            await self.report(.delivery(friendId: friend.id, messageId: id, .shown))
            guard await self.pause(.seconds(1)) else { return }
            await self.report(.read(friendId: friend.id, upTo: id))
            guard await self.pause(.seconds(2)) else { return }
            await self.answer(friend)
        }
        return MessageReceipt(messageId: id, timestamp: message.timestamp)
    }

    private func answer(_ friend: Friend) {
        guard !words.answers.isEmpty, friends.contains(where: { $0.id == friend.id }) else { return }
        let text = words.answers[answerCount % words.answers.count]
        answerCount += 1
        messageCount += 1
        let message = Message(
            id: Message.ID("message-\(messageCount)"), senderId: friend.id, recipientId: me.id, text: text, isRead: false,
            timestamp: .now, senderDisplayName: friend.displayName ?? friend.hexCode.rawValue)
        messages[friend.id, default: []].append(message)
        report(.message(message))
    }

    /// - Returns: False once the socket is closed.
    private func pause(_ duration: Duration) async -> Bool { (try? await clock.sleep(for: duration)) != nil }

    // MARK: The live socket

    private func serve(_ peer: ScriptedService.Peer) async {
        write = peer.write
        write(.hello(seq: seq))
        await reactions.run()
    }

    private func report(_ event: LiveEvent) {
        seq += 1
        write(.event(seq: seq, at: .now, event))
    }

    private func write(_ message: LiveServerMessage) {
        guard let json = try? WireJSON.encode(message) else { return }
        write?(String(decoding: json, as: UTF8.self))
    }
}
