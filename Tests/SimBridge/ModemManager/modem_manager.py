"""A ModemManager of tests: the part of its D-Bus interface that `mmcli` needs for modems, SIM cards, texts and calls.

Takes its place on the bus of DBUS_SYSTEM_BUS_ADDRESS, and follows a test's commands through the interface `test.Control`, whose one
method takes and gives JSON. Numbers of states and types are those of ModemManager's D-Bus reference (MMModemState, MMSmsState, …).
"""

import json
import os

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.freedesktop.ModemManager1"
ROOT = "/org/freedesktop/ModemManager1"
MODEM, MESSAGING, VOICE, GPP = (NAME + suffix for suffix in (".Modem", ".Modem.Messaging", ".Modem.Voice", ".Modem.Modem3gpp"))
SIM, SMS, CALL = NAME + ".Sim", NAME + ".Sms", NAME + ".Call"
PROPERTIES = "org.freedesktop.DBus.Properties"

# MMSmsState, MMSmsPduType, MMCallState, MMCallDirection
UNKNOWN, STORED, RECEIVING, RECEIVED, SENDING, SENT = range(6)
DELIVER, SUBMIT, STATUS_REPORT = 1, 2, 3
DIALING, RINGING_OUT, RINGING_IN, ACTIVE, HELD, WAITING, TERMINATED = range(1, 8)
INCOMING, OUTGOING = 1, 2


class Failed(dbus.DBusException):
    _dbus_error_name = NAME + ".Error.Core.Failed"


class Thing(dbus.service.Object):
    """An object with properties: `self.interfaces[interface][name]`."""

    def __init__(self, bus, path, interfaces):
        self.interfaces = interfaces
        super().__init__(bus, path)

    @dbus.service.method(PROPERTIES, in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        return self.interfaces[interface][name]

    @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        return dbus.Dictionary(self.interfaces.get(interface, {}), signature="sv")

    @dbus.service.signal(PROPERTIES, signature="sa{sv}as")
    def PropertiesChanged(self, interface, changed, invalidated):
        pass

    def change(self, interface, **values):
        self.interfaces[interface].update(values)
        self.PropertiesChanged(interface, dbus.Dictionary(values, signature="sv"), dbus.Array([], signature="s"))

    @property
    def path(self):
        return dbus.ObjectPath(self._object_path)


class Sms(Thing):
    def __init__(self, manager, number, text, state, pdu, timestamp="", data=b"", delivery=0x100, reference=0):
        self.manager = manager
        super().__init__(manager.bus, manager.fresh("SMS"), {
            SMS: {
                "State": dbus.UInt32(state), "PduType": dbus.UInt32(pdu), "Number": number, "Text": text,
                "Data": dbus.ByteArray(data) if data else dbus.Array([], signature="y"), "SMSC": "", "Class": dbus.Int32(-1),
                "Timestamp": timestamp, "DischargeTimestamp": "", "DeliveryReportRequest": False,
                "DeliveryState": dbus.UInt32(delivery), "MessageReference": dbus.UInt32(reference), "Storage": dbus.UInt32(1),
                "TeleserviceId": dbus.UInt32(0), "ServiceCategory": dbus.UInt32(0),
                "Validity": dbus.Struct((dbus.UInt32(0), dbus.UInt32(0, variant_level=1)), signature="uv"),
            }})

    @dbus.service.method(SMS, async_callbacks=("reply", "fail"))
    def Send(self, reply, fail):
        behaviour = self.manager.behaviour
        if "refuse" in behaviour:
            return fail(Failed(behaviour["refuse"]))
        values = self.interfaces[SMS]
        self.manager.sent.append({"number": str(values["Number"]), "text": str(values["Text"]), "path": str(self.path)})
        self.interfaces[SMS]["MessageReference"] = dbus.UInt32(len(self.manager.sent))
        if behaviour.get("silent"):
            # The network has the text, but never confirms it.
            self.manager.unanswered.append((reply, fail))
            return None
        self.change(SMS, State=dbus.UInt32(SENT))
        return reply()


class Call(Thing):
    def __init__(self, manager, number, state, direction):
        self.manager = manager
        super().__init__(manager.bus, manager.fresh("Call"), {
            CALL: {
                "State": dbus.Int32(state), "StateReason": dbus.Int32(0), "Direction": dbus.Int32(direction), "Number": number,
                "Multiparty": False, "AudioPort": "", "AudioFormat": dbus.Dictionary({}, signature="sv"),
            }})

    def turn(self, state, reason=0):
        self.change(CALL, State=dbus.Int32(state), StateReason=dbus.Int32(reason))

    @dbus.service.method(CALL)
    def Start(self):
        if "refuse" in self.manager.behaviour:
            raise Failed(self.manager.behaviour["refuse"])
        self.turn(DIALING, 1)

    @dbus.service.method(CALL)
    def Accept(self):
        self.turn(ACTIVE, 3)

    @dbus.service.method(CALL)
    def Hangup(self):
        self.turn(TERMINATED, 4)


class Sim(Thing):
    def __init__(self, manager, iccid, operator):
        super().__init__(manager.bus, manager.fresh("SIM"), {
            SIM: {
                "Active": True, "SimIdentifier": iccid, "Imsi": "", "Eid": "", "OperatorIdentifier": "00101",
                "OperatorName": operator, "EmergencyNumbers": dbus.Array([], signature="s"),
                "PreferredNetworks": dbus.Array([], signature="(su)"), "Gid1": dbus.ByteArray(b""), "Gid2": dbus.ByteArray(b""),
                "SimType": dbus.UInt32(1), "EsimStatus": dbus.UInt32(0), "Removability": dbus.UInt32(0),
            }})


class Modem(Thing):
    def __init__(self, manager, operator, number, iccid, voice, locked, state, imei, texts, device):
        self.manager = manager
        self.texts, self.calls = [], []
        sim = Sim(manager, iccid, operator) if iccid else None
        self.sim = sim
        strings = dbus.Array([], signature="s")
        interfaces = {
            MODEM: {
                "Sim": sim.path if sim else dbus.ObjectPath("/"), "SimSlots": dbus.Array([], signature="o"),
                "PrimarySimSlot": dbus.UInt32(0), "Bearers": dbus.Array([], signature="o"),
                "SupportedCapabilities": dbus.Array([4], signature="u"), "CurrentCapabilities": dbus.UInt32(4),
                "MaxBearers": dbus.UInt32(1), "MaxActiveBearers": dbus.UInt32(1), "MaxActiveMultiplexedBearers": dbus.UInt32(0),
                "Manufacturer": "Test", "Model": "Modem", "Revision": "1", "CarrierConfiguration": "",
                "CarrierConfigurationRevision": "", "HardwareRevision": "", "DeviceIdentifier": iccid or "none",
                "Device": device, "Physdev": "", "Drivers": strings, "Plugin": "test", "PrimaryPort": "ttyTest",
                "Ports": dbus.Array([], signature="(su)"), "EquipmentIdentifier": imei,
                "UnlockRequired": dbus.UInt32(2 if locked else 1), "UnlockRetries": dbus.Dictionary({}, signature="uu"),
                "State": dbus.Int32(state), "StateFailedReason": dbus.UInt32(0 if iccid else 2),
                "AccessTechnologies": dbus.UInt32(1 << 14),
                "SignalQuality": dbus.Struct((dbus.UInt32(70), False), signature="ub"),
                "OwnNumbers": dbus.Array([number] if number else [], signature="s"), "PowerState": dbus.UInt32(3),
                "SupportedModes": dbus.Array([], signature="(uu)"),
                "CurrentModes": dbus.Struct((dbus.UInt32(8), dbus.UInt32(0)), signature="uu"),
                "SupportedBands": dbus.Array([], signature="u"), "CurrentBands": dbus.Array([], signature="u"),
                "SupportedIpFamilies": dbus.UInt32(1),
            },
            GPP: {
                "Imei": "0", "RegistrationState": dbus.UInt32(1), "OperatorCode": "00101", "OperatorName": operator,
                "EnabledFacilityLocks": dbus.UInt32(0), "SubscriptionState": dbus.UInt32(0),
                "EpsUeModeOperation": dbus.UInt32(0), "Pco": dbus.Array([], signature="(ubay)"),
                "InitialEpsBearer": dbus.ObjectPath("/"), "InitialEpsBearerSettings": dbus.Dictionary({}, signature="sv"),
                "PacketServiceState": dbus.UInt32(0), "Nr5gRegistrationSettings": dbus.Dictionary({}, signature="sv"),
            },
            MESSAGING: {
                "Messages": dbus.Array([], signature="o"), "SupportedStorages": dbus.Array([1], signature="u"),
                "DefaultStorage": dbus.UInt32(1),
            },
        }
        if not texts:
            del interfaces[MESSAGING]
        if voice:
            interfaces[VOICE] = {"Calls": dbus.Array([], signature="o"), "EmergencyOnly": False}
        super().__init__(manager.bus, manager.fresh("Modem"), interfaces)

    def add_text(self, sms):
        self.texts.append(sms)
        self.change(MESSAGING, Messages=dbus.Array([text.path for text in self.texts], signature="o"))
        return sms

    def remove_text(self, path):
        sms = next((text for text in self.texts if text.path == path), None)
        if sms is None or self.manager.behaviour.get("keeps"):
            raise Failed("cannot delete")
        self.texts.remove(sms)
        sms.remove_from_connection()
        self.change(MESSAGING, Messages=dbus.Array([text.path for text in self.texts], signature="o"))

    def add_call(self, call):
        self.calls.append(call)
        self.change(VOICE, Calls=dbus.Array([one.path for one in self.calls], signature="o"))
        return call

    @dbus.service.method(MODEM, in_signature="b")
    def Enable(self, enable):
        self.manager.enabled += 1
        self.change(MODEM, State=dbus.Int32(8 if enable else 3))

    @dbus.service.method(MESSAGING, out_signature="ao")
    def List(self):
        return [text.path for text in self.texts]

    @dbus.service.method(MESSAGING, in_signature="o")
    def Delete(self, path):
        self.remove_text(path)

    @dbus.service.method(MESSAGING, in_signature="a{sv}", out_signature="o")
    def Create(self, values):
        sms = Sms(self.manager, str(values["number"]), str(values["text"]), UNKNOWN, SUBMIT)
        return self.add_text(sms).path

    @dbus.service.method(VOICE, out_signature="ao")
    def ListCalls(self):
        return [call.path for call in self.calls]

    @dbus.service.method(VOICE, in_signature="a{sv}", out_signature="o")
    def CreateCall(self, values):
        return self.add_call(Call(self.manager, str(values["number"]), 0, OUTGOING)).path

    @dbus.service.method(VOICE, in_signature="o")
    def DeleteCall(self, path):
        call = next((call for call in self.calls if call.path == path), None)
        if call is None:
            raise Failed("no such call")
        self.calls.remove(call)
        call.remove_from_connection()
        self.change(VOICE, Calls=dbus.Array([one.path for one in self.calls], signature="o"))


class Manager(Thing):
    def __init__(self, bus):
        self.bus = bus
        self.numbers = {}
        self.modems, self.sent, self.unanswered = [], [], []
        self.enabled = 0
        self.behaviour = {}
        super().__init__(bus, ROOT, {NAME: {"Version": "1.20.4"}})

    def fresh(self, kind):
        number = self.numbers.get(kind, 0)
        self.numbers[kind] = number + 1
        return f"{ROOT}/{kind}/{number}"

    @dbus.service.method("org.freedesktop.DBus.ObjectManager", out_signature="a{oa{sa{sv}}}")
    def GetManagedObjects(self):
        return dbus.Dictionary(
            {
                modem.path: dbus.Dictionary(
                    {name: dbus.Dictionary(values, signature="sv") for name, values in modem.interfaces.items()},
                    signature="sa{sv}")
                for modem in self.modems
            },
            signature="oa{sa{sv}}")

    @dbus.service.method("test.Control", in_signature="s", out_signature="s")
    def Do(self, line):
        command = json.loads(line)
        return json.dumps(getattr(self, "do_" + command.pop("do"))(**command))

    def do_add_modem(self, operator="Test", number=None, iccid="8900000000000000001", voice=True, locked=False, state=8, imei="1",
                     texts=True, device="/sys/devices/test"):
        self.modems.append(Modem(self, operator, number, iccid, voice, locked, state, imei, texts, device))

    def do_remove_modems(self):
        self.modems = []

    def do_behave(self, **behaviour):
        self.behaviour = behaviour

    def do_receive(self, modem, number, text, state=RECEIVED, timestamp="2026-11-22T03:00:00+00:00", data=""):
        sms = Sms(self, number, text, state, DELIVER, timestamp, bytes.fromhex(data))
        return str(self.modems[modem].add_text(sms).path)

    def do_report_delivery(self, modem, number, reference, delivery=0):
        """A delivery report; `delivery` as in MMSmsDeliveryState."""
        self.modems[modem].add_text(Sms(
            self, number, "", RECEIVED, STATUS_REPORT, "2026-11-22T03:00:00+00:00", delivery=delivery, reference=reference))

    def do_confirm(self):
        """The network confirms the texts that it has left without an answer."""
        for reply, _ in self.unanswered:
            reply()
        self.unanswered = []
        for modem in self.modems:
            for sms in modem.texts:
                if any(one["path"] == str(sms.path) for one in self.sent):
                    sms.change(SMS, State=dbus.UInt32(SENT))

    def do_rename(self, modem, operator, number):
        one = self.modems[modem]
        one.change(GPP, OperatorName=operator)
        one.change(MODEM, OwnNumbers=dbus.Array([number], signature="s"))

    def do_name_caller(self, modem, number):
        self.modems[modem].calls[-1].change(CALL, Number=number)

    def do_complete(self, modem, path, text):
        sms = next(one for one in self.modems[modem].texts if one.path == path)
        sms.change(SMS, State=dbus.UInt32(RECEIVED), Text=text)

    def do_restart(self):
        """Restart ModemManager, which numbers the contents of the modems anew."""
        for modem in self.modems:
            old, modem.texts = modem.texts, []
            for sms in old:
                values = sms.interfaces[SMS]
                sms.remove_from_connection()
                modem.add_text(Sms(
                    self, str(values["Number"]), str(values["Text"]), int(values["State"]), int(values["PduType"]),
                    str(values["Timestamp"])))

    def do_ring(self, modem, number):
        return str(self.modems[modem].add_call(Call(self, number, RINGING_IN, INCOMING)).path)

    def do_turn(self, modem, state, reason=0):
        self.modems[modem].calls[-1].turn(state, reason)

    def do_tell(self):
        return {
            "sent": self.sent,
            "enabled": self.enabled,
            "texts": [[str(text.path) for text in modem.texts] for modem in self.modems],
            "calls": [[int(call.interfaces[CALL]["State"]) for call in modem.calls] for modem in self.modems],
        }


if __name__ == "__main__":
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.bus.BusConnection(os.environ["DBUS_SYSTEM_BUS_ADDRESS"])
    manager = Manager(bus)
    name = dbus.service.BusName(NAME, bus, do_not_queue=True)
    GLib.MainLoop().run()
