"""AT modems for the real ModemManager: each one is an abstract unix socket that ModemManager's test interface opens as a port.

Follows a test's commands through the interface `test.Control` (one method, JSON in and out) of the bus name `test.ATModems`, on the bus of
DBUS_SYSTEM_BUS_ADDRESS. Sources: 3GPP TS 27.007 and 27.005 (commands), TS 23.040 and 23.038 (texts), Vodafone and generic modems for the rest.
"""

import json
import os
import socket
from datetime import datetime, timezone

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

MANAGER = "org.freedesktop.ModemManager1"

# MARK: Texts as PDUs

GSM = ("@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\x1bÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
       "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà")
GSM_EXTENDED = {"\f": 0x0A, "^": 0x14, "{": 0x28, "}": 0x29, "\\": 0x2F, "[": 0x3C, "~": 0x3D, "]": 0x3E, "|": 0x40, "€": 0x65}


def septets(text):
    """The septets of `text`, or None when it has a character outside the default alphabet."""
    values = []
    for character in text:
        if character in GSM_EXTENDED:
            values += [0x1B, GSM_EXTENDED[character]]
        elif character != "\x1b" and character in GSM:
            values.append(GSM.index(character))
        else:
            return None
    return values


def packed(values, fill=0):
    """Septets in octets, after `fill` bits."""
    bits = sum(value << (7 * place + fill) for place, value in enumerate(values))
    return bits.to_bytes((7 * len(values) + fill + 7) // 8, "little")


def unpacked(data, count, fill=0):
    bits = int.from_bytes(data, "little") >> fill
    values = [(bits >> (7 * place)) & 0x7F for place in range(count)]
    text, escaped = "", False
    extended = {code: character for character, code in GSM_EXTENDED.items()}
    for value in values:
        if escaped:
            text, escaped = text + extended.get(value, " "), False
        elif value == 0x1B:
            escaped = True
        else:
            text += GSM[value]
    return text


def swapped(digits):
    digits += "F" * (len(digits) % 2)
    return bytes(int(digits[at + 1] + digits[at], 16) for at in range(0, len(digits), 2))


def address(number):
    """An address field: its length in semi-octets, its type, its value."""
    digits = number.removeprefix("+").replace("*", "A").replace("#", "B")
    if digits and all(digit in "0123456789AB" for digit in digits):
        return bytes([len(digits), 0x91 if number.startswith("+") else 0x81]) + swapped(digits)
    data = packed(septets(number) or [])
    return bytes([(7 * len(number) + 3) // 4, 0xD0]) + data


def now():
    return datetime.now(timezone.utc).isoformat(timespec="seconds")


def time_stamp(text):
    """`2026-11-27T10:20:30+01:00` as seven octets."""
    stamp, sign, zone = text[:19], text[19:20] or "+", text[20:]
    minutes = int(zone[:2] or 0) * 60 + int(zone[3:5] or 0)
    digits = "".join(stamp[at:at + 2] for at in (2, 5, 8, 11, 14, 17)) + "%02d" % (minutes // 15)
    data = bytearray(swapped(digits))
    if sign == "-":
        data[6] |= 0x08
    return bytes(data)


def alphabet(scheme):
    """The alphabet of a data coding scheme: 0 for septets, 4 for data, 8 for UCS-2. Source: 3GPP TS 23.038, section 4."""
    group = scheme >> 4
    return scheme & 0x0C if group < 8 else 4 if group == 15 and scheme & 0x04 else 8 if group == 14 else 0


def deliver(number, time, text=None, data=None, part=None, ports=None, reference=0, wide=False, scheme=None, protocol=0):
    """An SMS-DELIVER with an empty service centre address.

    part: [number, count] of a long text; data: hexadecimal digits of a message that is no text; ports: as in WAP push; wide: a reference of 16
    bits; scheme: the data coding scheme; protocol: the protocol identifier.
    """
    header = b""
    if part and wide:
        header += bytes([0x08, 4, reference >> 8, reference & 0xFF, part[1], part[0]])
    elif part:
        header += bytes([0x00, 3, reference, part[1], part[0]])
    if ports:
        header += bytes([0x05, 4]) + ports[0].to_bytes(2, "big") + ports[1].to_bytes(2, "big")
    if header:
        header = bytes([len(header)]) + header
    first = 0x44 if header else 0x04
    if scheme is None:
        scheme = 0x04 if data is not None else 0x00 if septets(text) is not None else 0x08
    if alphabet(scheme) == 0:
        values = septets(text)
        fill = -8 * len(header) % 7
        body = header + packed(values, fill)
        length = len(values) + (8 * len(header) + fill) // 7
    else:
        body = header + (bytes.fromhex(data) if data is not None else text.encode("utf-16-be"))
        length = len(body)
    return bytes([0x00, first]) + address(number) + bytes([protocol, scheme]) + time_stamp(time) + bytes([length]) + body


def status_report(reference, number, time, status):
    return bytes([0x00, 0x06, reference]) + address(number) + time_stamp(time) * 2 + bytes([status])


def submit(pdu):
    """What an SMS-SUBMIT says."""
    at = 1 + pdu[0]
    first, at = pdu[at], at + 2
    length, kind = pdu[at], pdu[at + 1]
    octets = (length + 1) // 2
    digits = "".join("%X%X" % (octet & 15, octet >> 4) for octet in pdu[at + 2:at + 2 + octets])[:length]
    number = ("+" if kind & 0x70 == 0x10 else "") + digits.replace("A", "*").replace("B", "#")
    at += 2 + octets + 1
    scheme, at = pdu[at], at + 1
    at += {0x00: 0, 0x10: 1}.get(first & 0x18, 7)
    length, body = pdu[at], pdu[at + 1:]
    header, part = 0, None
    if first & 0x40:
        header = body[0] + 1
        elements = body[1:header]
        while len(elements) > 2:
            if elements[0] == 0x00:
                part = [elements[4], elements[3]]
            elements = elements[2 + elements[1]:]
    if scheme & 0x0C == 0x08:
        text = body[header:length].decode("utf-16-be", "surrogatepass")
    elif scheme & 0x0C == 0x04:
        text = body[header:length].hex()
    else:
        fill = -8 * header % 7
        text = unpacked(body[header:], length - (8 * header + fill) // 7, fill)
    return {"number": number, "text": text, "part": part, "report": bool(first & 0x20)}


# MARK: The modem

class ATModem:
    """One modem with a SIM card. `behaviour` is set by the test:

    texts: False: no SMS commands. refuse: the error of +CMGS and of calls. silent: +CMGS is not answered until `confirm`. keeps: +CMGD fails.
    capacity: the places of its memory. pace: the time for one part in milliseconds. ussd: the network's answers by code, each [status, text].
    """

    def __init__(self, name, imei, iccid, own=None, operator="Ada Mobile", pin=None, **behaviour):
        self.name, self.imei, self.iccid, self.own, self.operator, self.pin = name, imei, iccid, own, operator, pin
        self.behaviour = behaviour
        self.memory, self.sent, self.dialled, self.codes, self.log = {}, [], [], [], []
        self.call, self.prompt, self.reference, self.forms, self.pending, self.announced = None, None, 0, {}, [], []
        self.is_locked = pin is not None
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind("\0" + name)
        self.listener.listen(1)
        self.link, self.input = None, b""
        self.watch = GLib.io_add_watch(self.listener.fileno(), GLib.IO_IN, self.accept)

    def accept(self, *_):
        self.link, _ = self.listener.accept()
        self.link.setblocking(False)
        self.input = b""
        GLib.io_add_watch(self.link.fileno(), GLib.IO_IN | GLib.IO_HUP, self.read, self.link)
        return True

    def read(self, _, condition, link):
        try:
            data = link.recv(65536)
        except BlockingIOError:
            return True
        except OSError:
            data = b""
        if not data:
            link.close()
            if self.link is link:
                self.link = None
            return False
        self.input += data
        while True:
            end = b"\x1a" if self.prompt is not None else b"\r"
            line, found, rest = self.input.partition(end)
            if not found:
                return True
            self.input = rest
            text = line.decode("latin-1").strip("\r\n\x1b ")
            if self.prompt is not None:
                self.take_text(text)
            elif text:
                self.log.append(text)
                self.obey(text)

    def write(self, text):
        if self.link:
            try:
                self.link.sendall(text.encode("latin-1"))
            except OSError:
                pass

    def say(self, *lines):
        for line in lines:
            self.write("\r\n%s\r\n" % line)

    def ok(self, *lines):
        self.say(*lines, "OK")

    # MARK: Commands

    def obey(self, line):
        if not line.upper().startswith("AT"):
            return self.say("ERROR")
        command = line[2:]
        upper = command.upper()
        if upper.startswith("D"):
            return self.dial(command[1:])
        if upper.startswith(("+CHUP", "H")):
            return self.hang_up()
        if upper.startswith("A") and upper in ("A",):
            return self.answer()
        if "=" in upper:
            name, _, value = command.partition("=")
        else:
            name, value = command, None
        name = name.upper()
        if name.startswith(("+CMG", "+CNM", "+CPMS", "+CSMS", "+CNMA")) and self.behaviour.get("texts") is False:
            return self.say("ERROR")
        reply = self.replies().get(command.upper() if value is None else name + "=" + value.upper())
        if reply is not None:
            return self.ok(*reply)
        handler = getattr(self, "at_" + name.strip("+?^*").lower(), None)
        if handler and (value is not None or name.endswith("?") or name.strip("+") in ("CMGL", "CLCC")):
            return handler(value)
        if name in ("", "Z", "E0", "V1", "E0V1", "E0+CMEE=1", "X4", "&C1", "+CMEE", "+CFUN", "+CREG", "+CGREG", "+CEREG", "+COPS", "+CLIP", "+CCWA", "+CSSN",
                    "+CRC", "+CSCS", "+CNMI", "+CMGF", "+CVHU", "+CTZR", "+CTZU", "+CGEREP", "+CGATT", "+IFC", "E", "&F", "S0", "E0Q0V1"):
            return self.ok()
        self.say("ERROR")

    def replies(self):
        """The commands whose answer is always the same."""
        lock = "SIM PIN" if self.is_locked else "READY"
        values = {
            "+GCAP": ["+GCAP: +CGSM"], "I": ["Ada 1"], "+CGMI": ["Ada Works"], "+CGMM": ["AT 1"], "+CGMR": ["1.0"],
            "+GMI": ["Ada Works"], "+GMM": ["AT 1"], "+GMR": ["1.0"],
            "+CGSN": [self.imei], "+CPIN?": ["+CPIN: " + lock], "+CFUN?": ["+CFUN: 1"], "+CMEE?": ["+CMEE: 1"],
            "+WS46=?": ["+WS46: (12,22,25,28)"], "+CIMI": ["001010123456789"], "+CSQ": ["+CSQ: 20,99"],
            "+CREG=?": ["+CREG: (0-2)"], "+CGREG=?": ["+CGREG: (0-2)"], "+CREG?": ["+CREG: 2,1,\"1A2B\",\"01234567\",2"],
            "+CGREG?": ["+CGREG: 2,1,\"1A2B\",\"01234567\",2"],
            "+COPS?": ["+COPS: 0,%d,\"%s\"" % ((0, self.operator) if self.forms.get("cops") != "2" else (2, "00101"))],
            "+CSCS=?": ["+CSCS: (\"IRA\",\"GSM\",\"UCS2\")"], "+CSCS?": ["+CSCS: \"%s\"" % self.forms.get("cscs", "IRA")],
            "+CNMI=?": ["+CNMI: (0-2),(0-3),(0-3),(0-2),(0,1)"], "+CSMS?": ["+CSMS: 0,1,1,1"],
            "+CMGF=?": ["+CMGF: (0,1)"], "+CGDCONT=?": ["+CGDCONT: (1-3),\"IP\",,,(0),(0)"], "+CGDCONT?": [],
            "+CPMS=?": ["+CPMS: (\"ME\",\"SM\"),(\"ME\",\"SM\"),(\"ME\",\"SM\")"],
            "+CPMS?": ["+CPMS: " + ",".join(["\"ME\",%d,%d" % (len(self.memory), self.capacity)] * 3)],
            "+CLCK=?": ["+CLCK: (\"SC\",\"AO\",\"OI\",\"AI\")"], "+CLCC=?": [], "+CUSD=?": ["+CUSD: (0-2)"], "+CCWA=?": ["+CCWA: (0,1)"],
            "+CNUM": ["+CNUM: ,\"%s\",145" % self.own] if self.own else [],
            "+CCID": ["+CCID: " + self.iccid], "+CPIN=?": [], "+CGACT?": [], "+CIND=?": [], "+CIND?": [],
            "+CLCK=\"SC\",2": ["+CLCK: %d" % (self.pin is not None)],
        }
        return values

    @property
    def capacity(self):
        return self.behaviour.get("capacity", 50)

    def at_cpin(self, value):
        if value.strip("\"") != self.pin:
            return self.say("+CME ERROR: 16")
        self.is_locked = False
        self.ok()

    def at_cops(self, value):
        parts = value.split(",")
        if value != "?" and len(parts) > 1:
            self.forms["cops"] = parts[1]
        self.ok()

    def at_cscs(self, value):
        self.forms["cscs"] = value.strip("\"")
        self.ok()

    def at_cpms(self, value):
        self.forms["memory"] = value.split(",")[0].strip("\"")
        self.ok("+CPMS: " + ",".join(["%d,%d" % (len(self.memory), self.capacity)] * 3))

    def at_csms(self, value):
        self.ok("+CSMS: 1,1,1")

    def at_crsm(self, value):
        parts = value.split(",")
        if parts[:2] == ["176", "12258"]:  # EF ICCID
            return self.ok("+CRSM: 144,0,\"%s\"" % swapped(self.iccid).hex().upper())
        self.say("+CME ERROR: 4")

    # MARK: Texts

    def at_cmgs(self, value):
        self.prompt = "send"
        self.write("\r\n> ")

    def take_text(self, text):
        self.prompt = None
        behaviour = self.behaviour
        if not text:
            return self.ok()
        said = submit(bytes.fromhex(text))
        if behaviour.get("refuse"):
            return self.say(behaviour["refuse"])
        self.reference = (self.reference + 1) % 256
        said["reference"] = self.reference
        self.sent.append(said)
        if behaviour.get("silent"):
            return None
        # The network takes its time.
        GLib.timeout_add(behaviour.get("pace", 1), self.accepted, said["reference"])

    def accepted(self, reference):
        self.ok("+CMGS: %d" % reference)
        return False

    def at_cmgl(self, value):
        lines = []
        self.announced = []
        for index, pdu in sorted(self.memory.items()) if self.forms.get("memory") == "ME" else []:
            lines += ["+CMGL: %d,1,,%d" % (index, len(pdu) - 1 - pdu[0]), pdu.hex().upper()]
        self.write("".join("\r\n" + line for line in lines) + "\r\n")
        self.ok()

    def at_cmgr(self, value):
        pdu = self.memory.get(int(value))
        if pdu is None:
            return self.say("+CMS ERROR: 321")
        self.write("\r\n+CMGR: 0,,%d\r\n%s\r\n" % (len(pdu) - 1 - pdu[0], pdu.hex().upper()))
        self.ok()
        if self.announced and self.announced[0] == int(value):
            self.announced.pop(0)
            GLib.timeout_add(5, self.announce)

    def at_cmgd(self, value):
        index = int(value.split(",")[0])
        if self.behaviour.get("keeps"):
            return self.say("+CMS ERROR: 500")
        self.memory.pop(index, None)
        self.ok()
        # What the network has kept comes as soon as there is room.
        if self.pending:
            GLib.idle_add(self.store, self.pending.pop(0))

    def store(self, pdu):
        free = next((place for place in range(1, self.capacity + 1) if place not in self.memory), None)
        if free is None:
            self.pending.append(pdu)
            return False
        self.memory[free] = pdu
        self.announced.append(free)
        if len(self.announced) == 1:
            self.announce()
        return False

    def announce(self):
        """Announce a stored text, and the next one when it was read: ModemManager 1.20 loses one of two announcements that it reads at once."""
        if self.announced:
            self.say("+CMTI: \"ME\",%d" % self.announced[0])
        return False

    # MARK: Calls and codes

    def dial(self, number):
        self.dialled.append(number.rstrip(";"))
        if self.behaviour.get("refuse"):
            return self.say("NO CARRIER")
        self.call = {"direction": 0, "state": 2, "number": number.rstrip(";")}
        self.ok()

    def answer(self):
        if self.call:
            self.call["state"] = 0
        self.ok()

    def hang_up(self):
        self.call = None
        self.ok()

    def at_clcc(self, value):
        call = self.call
        self.ok(*(["+CLCC: 1,%d,%d,0,0,\"%s\",%d" % (
            call["direction"], call["state"], call["number"], 145 if call["number"].startswith("+") else 129)] if call else []))

    def ring(self, number=None):
        self.call = self.call or {"direction": 1, "state": 4, "number": ""}
        self.say("RING")
        if number is not None:
            self.call["number"] = number
            self.say("+CLIP: \"%s\",%d" % (number, 145 if number.startswith("+") else 129))

    def end(self):
        self.call = None
        self.say("NO CARRIER")

    def at_cusd(self, value):
        if value is None or value in ("?", "1", "0"):
            return self.ok()
        parts = value.split(",")
        if parts[0] == "2":
            return self.ok()
        code = parts[1].strip("\"")
        if self.forms.get("cscs") == "UCS2":
            code = bytes.fromhex(code).decode("utf-16-be")
        self.codes.append(code)
        self.ok()
        for status, text in self.behaviour.get("ussd", {}).get(code, [[0, "You have 3.50"]]):
            self.tell(status, text)

    def tell(self, status, text=None):
        """The network's message of a service code."""
        if text is None:
            return self.say("+CUSD: %d" % status)
        if self.forms.get("cscs") == "UCS2":
            text = text.encode("utf-16-be").hex().upper()
        self.say("+CUSD: %d,\"%s\",15" % (status, text))


# MARK: The test's commands

class Control(dbus.service.Object):
    def __init__(self, bus):
        self.bus = bus
        self.modems = []
        super().__init__(bus, "/test/ATModems")

    @dbus.service.method("test.Control", in_signature="s", out_signature="s")
    def Do(self, line):
        command = json.loads(line)
        return json.dumps(getattr(self, "do_" + command.pop("do"))(**command))

    def do_add_modem(self, imei="490154203237518", iccid="8944000000000000018", plug=True, **values):
        name = "abstract:at-modem-%d-%d" % (os.getpid(), len(self.modems))
        self.modems.append(ATModem(name, imei, iccid, **values))
        if plug:
            self.do_plug(len(self.modems) - 1)

    def do_plug(self, modem):
        """Hand the modem's port to ModemManager."""
        name = self.modems[modem].name
        manager = dbus.Interface(self.bus.get_object(MANAGER, "/org/freedesktop/ModemManager1"), MANAGER + ".Test")
        manager.SetProfile(name, "generic", dbus.Array([name], signature="s"), reply_handler=lambda: None, error_handler=lambda _: None)

    def do_behave(self, modem=0, **behaviour):
        self.modems[modem].behaviour.update(behaviour)

    def do_receive(self, modem=0, number="+491711", text=None, time=None, announces=True, pdu=None, **values):
        one = self.modems[modem]
        pdu = bytes.fromhex(pdu) if pdu else deliver(number, time or now(), text, **values)
        if announces:
            one.store(pdu)
        else:
            one.memory[max(one.memory, default=0) + 1] = pdu

    def do_report(self, reference, number, modem=0, status=0):
        pdu = status_report(reference, number, now(), status)
        self.modems[modem].write("\r\n+CDS: %d\r\n%s\r\n" % (len(pdu) - 1, pdu.hex().upper()))

    def do_ring(self, modem=0, number=None):
        self.modems[modem].ring(number)

    def do_confirm(self, modem=0):
        """Answer the text that was left without one."""
        self.modems[modem].accepted(self.modems[modem].reference)

    def do_end(self, modem=0):
        self.modems[modem].end()

    def do_turn(self, modem=0, state=0):
        self.modems[modem].call["state"] = state

    def do_tell_user(self, status, text=None, modem=0):
        self.modems[modem].tell(status, text)

    def do_set(self, modem=0, **values):
        for name, value in values.items():
            setattr(self.modems[modem], name, value)

    def do_unplug(self, modem=0):
        one = self.modems[modem]
        if one.link:
            one.link.shutdown(socket.SHUT_RDWR)

    def do_tell(self):
        return [
            {"sent": one.sent, "held": len(one.memory), "dialled": one.dialled, "codes": one.codes, "log": one.log[-200:]}
            for one in self.modems
        ]


if __name__ == "__main__":
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.bus.BusConnection(os.environ["DBUS_SYSTEM_BUS_ADDRESS"])
    control = Control(bus)
    name = dbus.service.BusName("test.ATModems", bus, do_not_queue=True)
    GLib.MainLoop().run()
