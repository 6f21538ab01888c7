"""A stand-in for Ollama: a real HTTP server, whose answers a test writes piece by piece."""

import http.server
import json
import queue
import threading

from conftest import TIMEOUT

MODEL = "llama3.2:3b"
OTHER_MODEL = "qwen3:8b"


class Answer:
    """One request for an answer. The test decides what the model says, and when."""

    def __init__(self, request: dict):
        self.model = request["model"]
        self.messages = [(message["role"], message["content"]) for message in request["messages"]]
        # Set when the caller has closed the connection, which is how Ollama is stopped.
        self.is_stopped = threading.Event()
        self.pieces: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()

    @property
    def prompt(self) -> str:
        return self.messages[-1][1]

    def say(self, *texts: str):
        for text in texts:
            self._send({"message": {"role": "assistant", "content": text}, "done": False})

    def think(self, text: str):
        self._send({"message": {"role": "assistant", "content": "", "thinking": text}, "done": False})

    def end(self, *texts: str, reason: str = "stop"):
        """Says the rest, and ends the answer."""
        self.say(*texts)
        self._send({"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": reason})
        self.pieces.put(None)

    def fail(self, text: str):
        """Sends an error in the middle of the answer."""
        self._send({"error": text})
        self.pieces.put(None)

    def die(self):
        """Ends the reply without the last line."""
        self.pieces.put(None)

    def end_in_half_a_line(self):
        self.pieces.put(b'{"model":"m","message":{"role":"assis')
        self.pieces.put(None)

    def _send(self, reply: dict):
        self.pieces.put(json.dumps({"model": self.model, "created_at": "2026-08-01T12:00:00Z"} | reply).encode() + b"\n")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        ollama = self.server.ollama
        details = {"size": 2_000_000_000, "digest": "a" * 64, "capabilities": ["completion"], "details": {"family": "llama"}}
        paths = {
            "/api/version": lambda: {"version": "0.12.0"},
            "/api/tags": lambda: {"models": [{"name": name, "model": name} | details for name in ollama.models]},
            "/api/ps": lambda: {"models": [{"name": name, "model": name} | details for name in ollama.loaded]},
        }
        reply = paths.get(self.path)
        self._reply(200, reply()) if reply else self._reply(404, {"error": "not found"})

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        ollama = self.server.ollama
        if self.path != "/api/chat":
            return self._reply(404, {"error": "not found"})
        if request["model"] not in ollama.models:
            return self._reply(404, {"error": f"model '{request['model']}' not found"})
        if not request["messages"]:
            ollama.may_load.wait(TIMEOUT / 1000)
            ollama.loaded.add(request["model"])
            return self._reply(200, {"model": request["model"], "done": True, "done_reason": "load"})
        if ollama.is_starting:
            return self._reply(503, {"error": "llm server loading model"})
        if len(request["messages"]) > ollama.maximum_turns:
            # The words of its runner.
            inner = {"error": {"code": 400, "message": "request (5000 tokens) exceeds the available context size (4096 tokens)",
                               "type": "exceed_context_size_error", "n_prompt_tokens": 5000, "n_ctx": 4096}}
            return self._reply(400, {"error": json.dumps(inner)})
        answer = Answer(request)
        ollama.answers.put(answer)
        self._stream(answer)

    def _stream(self, answer: Answer):
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.send_header("Connection", "close")
        self.end_headers()
        threading.Thread(target=self._watch, args=[answer], daemon=True).start()
        try:
            while (piece := answer.pieces.get()) is not None:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.write(b"0\r\n\r\n")
        except ConnectionError:
            pass

    def _watch(self, answer: Answer):
        """Notices that the caller has closed the connection."""
        try:
            self.connection.recv(1)
        except OSError:
            pass
        answer.is_stopped.set()
        answer.pieces.put(None)

    def _reply(self, status: int, reply: dict):
        body = json.dumps(reply).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        # A connection that is kept would outlive the server's end.
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """A caller that has gone is part of the tests."""


class Ollama:
    """The server. Its port stays the same over restarts."""

    def __init__(self):
        self.models = [MODEL, OTHER_MODEL]
        self.loaded = {MODEL, OTHER_MODEL}
        self.may_load = threading.Event()
        self.may_load.set()
        self.answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        # Answers 503, as a server does that loads its model when it starts.
        self.is_starting = False
        # The number of turns that the context has room for.
        self.maximum_turns = 1_000
        self.port = 0
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        self.server = Server(("127.0.0.1", self.port), Handler)
        self.server.ollama = self
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def stop(self):
        """Ends the server: nothing listens at its port."""
        self.server.shutdown()
        self.server.server_close()

    def unload(self):
        """Removes the models from memory. Loading takes until `may_load` is set."""
        self.loaded.clear()
        self.may_load.clear()

    def answer(self) -> Answer:
        """Waits for the next request for an answer."""
        return self.answers.get(timeout=TIMEOUT / 1000)
