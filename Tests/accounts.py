"""People made by HTTP calls: accounts, friends, messages, paired devices; and phones on which they are signed in already.

A browser's phone is a folder on its box, named by a hash of the secret in the browser's cookie. `sign_in` writes the files of that folder
as the apps would have left them, before the browser opens the first page.
"""

import base64
import hashlib
import json
import re
import secrets
import subprocess
import threading
import time
import urllib.request
from urllib.parse import urlsplit

from conftest import PROGRAMS, TIMEOUT, Box
from playwright.sync_api import BrowserContext

PASSWORD = "correct horse"


def call(method: str, address: str, body: dict | None = None, token: str | None = None):
    """Makes an HTTP call and returns the JSON of its reply."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(address, data, headers, method=method), timeout=30) as reply:
        return json.load(reply)


def sign_in(
        context: BrowserContext, box: Box, app: str, keychain: dict[str, bytes], preferences: dict | None = None,
        address: str | None = None):
    """Makes a browser context a phone of the box, on which an app has kept these values.

    `address` is the one that the browser knows the box by, if that is not the box's own.
    """
    secret = secrets.token_urlsafe(32)
    address = address or box.address
    context.add_cookies([{"name": f"switchboard-phone-{urlsplit(address).port}", "value": secret, "url": address}])
    folder = box.data / "phones" / hashlib.sha256(secret.encode()).digest()[:16].hex()
    folder.mkdir(parents=True, mode=0o700)
    # Preferences are arrays of one value.
    values = {name: json.dumps([value]).encode() for name, value in (preferences or {}).items()}
    for kind, kept in (("keychain", keychain), ("preferences", values)):
        text = json.dumps({name: base64.b64encode(value).decode() for name, value in kept.items()})
        (folder / f"{app}.{kind}.json").write_text(text)


class PagerUser:
    """A user of the pager, who may have a phone or only call the service."""

    def __init__(self, box: Box, name: str):
        self.box = box
        self.name = name
        self.device_token = f"browser-{secrets.token_hex(32)}"
        registered = self.call("POST", "users/register", {"deviceToken": self.device_token})
        self.id, self.code, self.token = registered["userId"], registered["hexCode"], registered["token"]
        self.call("PUT", "users/display-name", {"displayName": name})

    def call(self, method: str, path: str, body: dict | None = None):
        token = getattr(self, "token", None)
        return call(method, f"{self.box.address}/pager2077/api/{path}", body, token)["data"]

    def ask(self, friend: "PagerUser"):
        """Send a friend request."""
        return self.call("POST", "friends/request", {"toHexCode": friend.code})

    def befriend(self, friend: "PagerUser"):
        """Makes both friends: the second of two requests accepts the first."""
        self.ask(friend)
        friend.ask(self)

    def send(self, friend: "PagerUser", text: str):
        self.call("POST", "messages", {"recipientId": friend.id, "text": text})

    def messages(self, friend: "PagerUser") -> list[str]:
        """The texts of a chat, oldest first. Marks the friend's messages as read."""
        return [message["text"] for message in self.call("GET", f"messages/{friend.id}")["messages"]]

    def sign_in(self, context: BrowserContext, address: str | None = None):
        credentials = {
            "userId": self.id, "hexCode": self.code, "authToken": self.token, "deviceToken": self.device_token,
            "displayName": self.name,
        }
        sign_in(context, self.box, "pager2077", {"credentials": json.dumps(credentials).encode()}, address=address)


class Host:
    """`switchboard simbridge host` with simulated SIM cards."""

    def __init__(self, address: str, folder, user: str):
        folder.mkdir()
        self.data = folder / "data"
        password = folder / "password"
        password.write_text(PASSWORD + "\n")
        password.chmod(0o600)
        self.command = [
            PROGRAMS / "switchboard", "simbridge", "host", "--relay", address + "/simbridge", "--user", user, "--name", "Pixel",
            "--password-file", password, "--data", self.data]
        self.has_more = threading.Condition()
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.lines: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def kill(self):
        self.process.kill()
        self.process.wait(timeout=20)

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(timeout=20)

    def sent(self) -> list[str]:
        """The texts that the simulated network has accepted."""
        return [json.loads(line)["body"] for line in (self.data / "simulated-sent.jsonl").read_text().splitlines()]

    def _read(self):
        for line in self.process.stdout:
            with self.has_more:
                self.lines.append(line)
                self.has_more.notify_all()

    def wait(self, pattern: str) -> re.Match:
        """Waits for a line of the output that matches."""
        def found():
            return next((match for line in self.lines if (match := re.search(pattern, line))), None)
        with self.has_more:
            assert self.has_more.wait_for(found, 30), self.lines
            return found()

    def code(self) -> str:
        """The pairing code that the host prints."""
        return self.wait(r"^\s*((?:\d ){5}\d)\s*$").group(1).replace(" ", "")

    def say(self, *lines: str):
        """Gives commands to the simulated network."""
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()


class BridgeUser:
    """An account of a relay."""

    # The address that the app calls its own box's relay by.
    RELAY = "http://localhost/simbridge"

    def __init__(self, box: Box, name: str | None = None):
        self.box = box
        self.name = name or f"ada-{secrets.token_hex(4)}"
        credentials = {"username": self.name, "password": PASSWORD}
        self.call("POST", "auth/register", credentials)
        self.token = self.call("POST", "auth/login", credentials)["token"]

    def call(self, method: str, path: str, body: dict | None = None):
        return call(method, f"{self.box.address}/simbridge/{path}", body, getattr(self, "token", None))

    def wait_for_history(self, count: int):
        """Waits until the relay has stored this many messages."""
        deadline = time.monotonic() + TIMEOUT / 1000
        while self.call("GET", "history?limit=0")["total"] < count:
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def pair(self, context: BrowserContext, host: Host):
        """Makes the browser context a phone that is signed in and paired with the host."""
        device = self.call("POST", "devices", {"name": "Browser", "type": "client"})["id"]
        paired = self.call("POST", "pair/confirm", {"code": host.code(), "client_device_id": device})
        host_device = {"id": paired["host_device_id"], "name": "Pixel"}
        sign_in(context, self.box, "simbridge", {"token": self.token.encode()}, {
            "serverURL": self.RELAY, "username": self.name, "deviceID": device, "deviceName": "Browser",
            "pairedHost": host_device, "hosts": [host_device],
        })
