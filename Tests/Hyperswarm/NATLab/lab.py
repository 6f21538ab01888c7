"""Runs `switchboard swarm` through simulated NATs: every peer in a network namespace of its own, its packets through a NAT of this program.

    lab.py --check                exits with 0 where the lab can run, else prints the reason and exits with 77
    lab.py PROGRAM [CASE ...]     runs the cases, all by default; one line for each; exits with 1 after a failure

The public network is a namespace too, in which all of 198.51.100.0/24 is this machine. A peer behind a NAT has the address 192.168.0.2 on a
TUN device. The NAT reads the device and sends from sockets in the public namespace:

    open          no translation and no filter: the peer has a public address
    consistent    one public port for each port of the peer; admits answers of addresses that were sent to
    random        another public port for each destination; the same filter

Nothing outlives the program: namespaces end with their processes. Needs root, and only Python's standard library.
"""

import ctypes
import fcntl
import json
import os
import random
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

SKIPPED = 77
CLONE_NEWNET = 0x40000000
NODES = 6
PORT = 49737
PRIVATE = "192.168.0.2"
# Probes with this time to live or less open the NAT and die before the peer.
SHORT_TIME_TO_LIVE = 5

libc = ctypes.CDLL(None, use_errno=True)


def call(name, *arguments):
    if getattr(libc, name)(*arguments) != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{name}: {os.strerror(error)}")


def public(number):
    return f"198.51.100.{number}"


def configure(device, address=None, mask=None):
    """Sets address and mask of a device, and brings it up."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        for request, text in ((0x8916, address), (0x891C, mask)):
            if text:
                value = struct.pack("16sHH4s8x", device.encode(), socket.AF_INET, 0, socket.inet_aton(text))
                fcntl.ioctl(control, request, value)
        # Up and running.
        fcntl.ioctl(control, 0x8914, struct.pack("16sH14x", device.encode(), 0x41))


def namespace():
    """Enters a new network namespace and returns its descriptor."""
    call("unshare", CLONE_NEWNET)
    configure("lo")
    return os.open("/proc/self/ns/net", os.O_RDONLY | os.O_CLOEXEC)


class Peer:
    """A namespace behind a NAT."""

    def __init__(self, lab, kind, number):
        self.kind, self.address = kind, public(number)
        self.inside = self.address if kind == "open" else PRIVATE
        self.namespace = namespace()
        self.tun = os.open("/dev/net/tun", os.O_RDWR | os.O_CLOEXEC)
        fcntl.ioctl(self.tun, 0x400454CA, struct.pack("16sH22x", b"tun0", 0x0001 | 0x1000))
        # The mask makes the public network a neighbour, so no route is needed.
        configure("tun0", self.inside, "255.255.255.0" if kind == "open" else "192.0.0.0")
        call("setns", lab.namespace, CLONE_NEWNET)
        self.process = os.fork()
        if self.process == 0:
            try:
                self.translate()
            finally:
                os._exit(0)

    def translate(self):
        die_with_parent()
        poll = select.epoll()
        poll.register(self.tun, select.EPOLLIN)
        mappings, sockets = {}, {}

        def mapping(port, destination):
            key = (port, destination) if self.kind == "random" else port
            if key not in mappings:
                outside = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                outside.setblocking(False)
                outside.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
                while True:
                    try:
                        outside.bind((self.address, random.randint(1024, 65535)))
                        break
                    except OSError:
                        pass
                mappings[key] = (outside, set())
                sockets[outside.fileno()] = (outside, mappings[key][1], port)
                poll.register(outside.fileno(), select.EPOLLIN)
            return mappings[key]

        def outgoing():
            packet = os.read(self.tun, 65535)
            if packet[0] >> 4 != 4 or packet[9] != socket.IPPROTO_UDP:
                return
            header = (packet[0] & 15) * 4
            destination = socket.inet_ntoa(packet[16:20])
            source, port, length = struct.unpack("!HHH", packet[header : header + 6])
            if not destination.startswith("198.51.100."):
                return
            found = mapping(source, (destination, port))
            found[1].add((destination, port))
            if packet[8] > SHORT_TIME_TO_LIVE:
                try:
                    found[0].sendto(packet[header + 8 : header + length], (destination, port))
                except OSError:
                    pass

        def incoming(descriptor):
            outside, admitted, port = sockets[descriptor]
            while True:
                try:
                    data, origin = outside.recvfrom(65535)
                except OSError:
                    return
                if origin not in admitted:
                    continue
                datagram = struct.pack("!HHHH", origin[1], port, 8 + len(data), 0) + data
                start = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(datagram), 0, 0, 60, socket.IPPROTO_UDP, 0)
                addresses = socket.inet_aton(origin[0]) + socket.inet_aton(self.inside)
                total = sum(struct.unpack("!10H", start + addresses))
                while total >> 16:
                    total = (total & 0xFFFF) + (total >> 16)
                os.write(self.tun, start[:10] + struct.pack("!H", ~total & 0xFFFF) + addresses + datagram)

        # A peer behind no NAT is reached on ports that never sent anything.
        if self.kind == "open":
            return self.forward(poll)
        while True:
            for descriptor, _ in poll.poll():
                outgoing() if descriptor == self.tun else incoming(descriptor)

    def forward(self, poll):
        """Passes all datagrams of the public address on as they are."""
        raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
        listener = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_UDP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        listener.bind((self.address, 0))
        poll.register(listener.fileno(), select.EPOLLIN)
        while True:
            for descriptor, _ in poll.poll():
                if descriptor == self.tun:
                    packet = os.read(self.tun, 65535)
                    if packet[0] >> 4 != 4 or packet[9] != socket.IPPROTO_UDP or packet[8] <= SHORT_TIME_TO_LIVE:
                        continue
                    destination = socket.inet_ntoa(packet[16:20])
                    if destination.startswith("198.51.100."):
                        raw.sendto(packet, (destination, 0))
                else:
                    packet = listener.recv(65535)
                    # The loopback device leaves checksums unfinished, and a wrong one is worse than none.
                    end = (packet[0] & 15) * 4 + 6
                    os.write(self.tun, packet[:end] + b"\0\0" + packet[end + 2 :])


def die_with_parent():
    libc.prctl(1, signal.SIGKILL)


class Program:
    """A program in a namespace, with the lines of its standard error."""

    def __init__(self, lab, where, arguments, data=None):
        def enter():
            die_with_parent()
            call("setns", where, CLONE_NEWNET)

        self.lines, self.output = [], b""
        self.process = subprocess.Popen(
            [lab.program, "swarm", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            preexec_fn=enter, pass_fds=[where])
        self.changed = threading.Condition()
        self.threads = [
            threading.Thread(target=work, daemon=True)
            for work in (self.read_lines, self.read_output, lambda: self.write(data))
        ]
        for thread in self.threads:
            thread.start()

    def read_lines(self):
        for line in self.process.stderr:
            with self.changed:
                self.lines.append(line.decode(errors="replace"))
                self.changed.notify_all()
        with self.changed:
            self.lines.append("")
            self.changed.notify_all()

    def read_output(self):
        self.output = self.process.stdout.read()

    def write(self, data):
        if data is None:
            return
        try:
            self.process.stdin.write(data)
            self.process.stdin.close()
        except OSError:
            pass

    def wait_for(self, word, seconds=30):
        with self.changed:
            found = self.changed.wait_for(lambda: any(word in line for line in self.lines) or "" in self.lines, seconds)
        if not found or not any(word in line for line in self.lines):
            raise RuntimeError(f"no '{word}': {''.join(self.lines)}")

    def end(self, seconds=60):
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
        for thread in self.threads[:2]:
            thread.join(5)
        return self.process.returncode


class Lab:
    # Name: kinds of the client's and the host's network, bytes to echo, and who names the relay.
    CASES = {
        "open-open": ("open", "open", 100_000, None),
        "consistent-consistent": ("consistent", "consistent", 100_000, None),
        "random-consistent": ("random", "consistent", 100_000, None),
        "consistent-random": ("consistent", "random", 100_000, None),
        "random-random": ("random", "random", 100, None),
        "random-random-relay": ("random", "random", 1_000_000, "client"),
        "random-random-relay-of-host": ("random", "random", 100_000, "host"),
        # Begins on the relay, and echoes once it has left it.
        "random-consistent-leaving-relay": ("random", "consistent", 1_000_000, "client"),
    }

    def __init__(self, program):
        self.program = program
        self.namespace = namespace()
        # On the loopback device the whole network of an address is local.
        configure("lo:1", public(1), "255.255.255.0")
        self.bootstrap = ["--bootstrap", f"{public(1)}:{PORT}"]
        self.nodes, self.lock, self.last = [], threading.Lock(), 20

    def start_nodes(self):
        for number in range(1, NODES + 1):
            joining = self.bootstrap if number > 1 else []
            relay = ["--blind-relay", "--seed", "77" * 32] if number == NODES else []
            node = Program(self, self.namespace, ["node", "--listen", f"{public(number)}:{PORT}", "--json", *joining, *relay])
            node.wait_for('"relaying"' if relay else '"joined"' if joining else '"listening"')
            self.nodes.append(node)
        line = next(line for line in self.nodes[-1].lines if '"relaying"' in line)
        self.relay = ["--relay", json.loads(line)["publicKey"]]

    def peer(self, kind):
        self.last += 1
        return Peer(self, kind, self.last)

    def run(self, name, client, host):
        _, _, size, relay = self.CASES[name]
        leaves = name.endswith("leaving-relay")
        started = time.monotonic()
        topic = os.urandom(32).hex()
        announcer = Program(
            self, host.namespace,
            ["announce", topic, "--echo", "--json", *self.bootstrap, *(self.relay if relay == "host" else [])])
        try:
            announcer.wait_for('"announced"')
            key = next(json.loads(line)["publicKey"] for line in announcer.lines if '"announced"' in line)
            data = b"".join(b"%099d\n" % number for number in range(size // 100))
            connection = Program(
                self, client.namespace,
                ["connect", key, "--json", "--timeout", "55", *self.bootstrap, *(self.relay if relay == "client" else [])],
                None if leaves else data)
            if leaves:
                connection.wait_for('"connected"')
                # A lucky guess in the first second needs no relay.
                if any('"relay"' in line for line in connection.lines):
                    connection.wait_for('"direct"', 45)
                connection.write(data)
            status = connection.end()
            errors = "".join(connection.lines)
            if name == "random-random":
                good = status == 1 and "HOLE_PUNCH_FAILED" in errors and "here: random, there: random" in errors
            else:
                good = status == 0 and connection.output == data and (leaves or ('"relay"' in errors) == (relay is not None))
        except RuntimeError as error:
            good, status, errors, connection = False, None, str(error), None
        announcer.process.kill()
        report = {"case": name, "ok": good, "seconds": round(time.monotonic() - started, 1)}
        if not good:
            report |= {"status": status, "bytes": len(connection.output) if connection else 0, "errors": errors.strip()}
        return report

    def doctor(self, kind, peer):
        """The doctor's words about each kind of network."""
        program = Program(self, peer.namespace, ["doctor", "--json", *self.bootstrap])
        status = program.end(30)
        facts = {}
        for line in program.output.decode().splitlines():
            facts |= json.loads(line)
        expected = {"firewall": kind, "reachable": "true" if kind == "open" else "false"}
        good = status == 0 and all(facts.get(key) == value for key, value in expected.items())
        return {"case": f"doctor-{kind}", "ok": good} | ({} if good else {"facts": facts})

    def run_all(self, names):
        self.start_nodes()
        works = [
            (lambda name=name, pair=(self.peer(self.CASES[name][0]), self.peer(self.CASES[name][1])): self.run(name, *pair))
            for name in names if name in self.CASES
        ]
        works += [
            (lambda kind=kind, peer=self.peer(kind): self.doctor(kind, peer))
            for kind in ("open", "consistent", "random") if f"doctor-{kind}" in names
        ]
        results = []

        def perform(work):
            report = work()
            with self.lock:
                results.append(report)
                print(json.dumps(report), flush=True)

        threads = [threading.Thread(target=perform, args=(work,), daemon=True) for work in works]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return len(results) == len(names) and all(report["ok"] for report in results)


def obstacle():
    """The reason for which the lab cannot run here; None where it can."""
    if not sys.platform.startswith("linux"):
        return "network namespaces need Linux"
    if os.geteuid() != 0:
        return "network namespaces need root"
    try:
        call("unshare", CLONE_NEWNET)
        configure("lo")
        tun = os.open("/dev/net/tun", os.O_RDWR)
        fcntl.ioctl(tun, 0x400454CA, struct.pack("16sH22x", b"tun0", 0x0001 | 0x1000))
        os.close(tun)
    except (OSError, AttributeError) as error:
        return f"no network namespace with a TUN device: {error}"
    return None


def main():
    reason = obstacle()
    if reason:
        print(f"The NAT lab is skipped: {reason}.")
        return SKIPPED
    if sys.argv[1:] == ["--check"]:
        return 0
    names = sys.argv[2:] or [*Lab.CASES, "doctor-open", "doctor-consistent", "doctor-random"]
    return 0 if Lab(sys.argv[1]).run_all(names) else 1


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)
