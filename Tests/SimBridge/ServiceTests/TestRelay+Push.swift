import Foundation
import HTTPTypes
import PushKit
import PushTestKit
import ServerKit
import SimBridgeWire
import StorageKit
import TestKit
import WireKit

@testable import SimBridgeService

extension TestRelay {
    /// A relay without a sender keeps what it would send: the states of the outbox are those of the decisions.
    func pushes(_ state: PushState) async throws -> [PushEntry] {
        try await relay.pushes.outbox.entries(state, limit: 1000).reversed()
    }

    /// The waiting notifications as they would be sent now; nil for one without a route.
    func notifications() async throws -> [PushStandIn.Sent?] {
        let entries = try await pushes(.waiting)
        let (time, directory) = (now, PhoneDirectory<PushDevices>(services: relay.pushes.services))
        return try await relay.store.write { transaction in
            try entries.map { entry in
                try directory.targets(of: entry, at: time, in: transaction).first?.routes.first.map { PushStandIn.Sent($0) }
            }
        }
    }

    func setPush(
        _ content: PushContent = .nothing, address: PushAddress = .ntfy(topic: "topic"), language: String = "en",
        for device: Device.ID, of owner: Person
    ) async throws -> Reply {
        try await parts.call(
            .put, SimBridgeEndpoints.setPush.path(["id": "\(device)"]), token: owner.token,
            body: WireJSON.encode(PushSettings(address: address, content: content, language: language)))
    }

    func removePush(of device: Device.ID, of owner: Person) async throws -> Reply {
        try await call(.delete, SimBridgeEndpoints.removePush.path(["id": "\(device)"]), token: owner.token)
    }
}
