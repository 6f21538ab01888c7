"""Whisper and Piper behind OpenAI's interface, on a Unix socket: the speech of TalkCo's tutor.

    speech.py --whisper FOLDER --voice FILE.onnx --socket PATH [--threads 2]
    speech.py --whisper FOLDER --voice FILE.onnx --try

`POST /v1/audio/transcriptions`, `POST /v1/audio/speech`, `GET /v1/models`, `GET /health`. The first line on standard output is `Ready`, once both
models are loaded and the socket exists. One recording is heard at a time and one text is spoken at a time, each in the order of arrival.

The program ends when its standard input ends: when the box that started it has ended, however that happened.
"""

import argparse
import collections
import contextlib
import ctypes
import email.parser
import email.policy
import io
import json
import os
import pathlib
import resource
import select
import signal
import socket
import socketserver
import sys
import threading
import time
import wave
from http.server import BaseHTTPRequestHandler

# In bytes: six minutes of 24 kHz, and more text than an answer has.
MAXIMUM_RECORDING, MAXIMUM_TEXT = 20_000_000, 20_000
# In seconds. Nobody waits longer for an answer.
WAITING_LIMIT, WORKING_LIMIT = 25, 60
MAXIMUM_WAITING = 16
MAXIMUM_CONNECTIONS = 64


def end_with_the_box():
    """Forks. The child returns and becomes the program; the parent waits for the end of either, and kills the child when the box has ended.

    The parent has no threads and does no work: a program that is stopped, or hangs, is killed as well.
    """
    worker = os.fork()
    if worker == 0:
        # PR_SET_PDEATHSIG: the program ends with its parent.
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.close(null)
        return
    signal.signal(signal.SIGTERM, lambda *_: os.kill(worker, signal.SIGKILL))
    process = os.pidfd_open(worker)
    while True:
        ready, _, _ = select.select([0, process], [], [])
        if process in ready:
            break
        if not os.read(0, 4096):
            os.kill(worker, signal.SIGKILL)
            break
    code = os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])
    os._exit(code if code >= 0 else 128 - code)


def limit_resources(threads: int, memory: int):
    """Leaves the processor and the memory to the box and its other work.

    - memory: The limit of the program's data, in bytes.
    """
    os.nice(5)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    # Both libraries start a thread for each processor that they may use.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    os.environ.update({"OMP_NUM_THREADS": str(threads), "HF_HUB_OFFLINE": "1"})
    # ONNX Runtime reports its use to its maker unless it is told not to; nothing may leave the box.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    # Where memory runs out, this program goes first. Not every container lets it say so.
    with contextlib.suppress(OSError):
        pathlib.Path("/proc/self/oom_score_adj").write_text("500")


def memory_limit(whisper: pathlib.Path) -> int:
    """In bytes: enough for a recording of the maximum length. Whisper base needs 1.6 GB of data, most of it never touched."""
    return 2_000_000_000 + 6 * (whisper / "model.bin").stat().st_size


class Busy(Exception):
    """Too many requests wait, or this one has waited for too long."""


class Gone(Exception):
    """The client has closed its connection."""


class Line:
    """Lets one request at a time work, in the order of arrival."""

    def __init__(self):
        self._condition = threading.Condition()
        self._waiting = collections.deque()
        self.since: float | None = None

    @contextlib.contextmanager
    def turn(self, is_gone):
        ticket = object()
        deadline = time.monotonic() + WAITING_LIMIT
        with self._condition:
            if len(self._waiting) > MAXIMUM_WAITING:
                raise Busy
            self._waiting.append(ticket)
            try:
                while self._waiting[0] is not ticket:
                    rest = deadline - time.monotonic()
                    if rest <= 0:
                        raise Busy
                    self._condition.wait(min(rest, 1))
                    if is_gone():
                        raise Gone
                self.since = time.monotonic()
            except BaseException:
                self._leave(ticket)
                raise
        try:
            yield
        finally:
            with self._condition:
                self.since = None
                self._leave(ticket)

    def _leave(self, ticket):
        self._waiting.remove(ticket)
        self._condition.notify_all()


class Engines:
    """The two models."""

    def __init__(self, whisper: pathlib.Path, voice: pathlib.Path, threads: int):
        # Imported here: the parent of the program needs none of it.
        from faster_whisper import WhisperModel
        from piper import PiperVoice, SynthesisConfig

        self._whisper = WhisperModel(str(whisper), device="cpu", compute_type="int8", cpu_threads=threads, local_files_only=True)
        self._voice = PiperVoice.load(str(voice))
        self._configuration = SynthesisConfig
        self.hearing, self.speaking = Line(), Line()

    @property
    def sample_rate(self) -> int:
        return self._voice.config.sample_rate

    def transcribe(self, recording: bytes, prompt: str | None, is_gone) -> list[dict]:
        """The segments of a recording. With a wider beam, silence becomes words."""
        segments, _ = self._whisper.transcribe(
            io.BytesIO(recording), language="en", beam_size=1, vad_filter=True, condition_on_previous_text=False,
            initial_prompt=prompt or None)
        heard = []
        for segment in segments:
            if is_gone():
                raise Gone
            heard.append({
                "start": segment.start, "end": segment.end, "text": segment.text, "avg_logprob": segment.avg_logprob,
                "no_speech_prob": segment.no_speech_prob,
            })
        return heard

    def speak(self, text: str, speed: float):
        """Raw samples, a sentence at a time: 16 bits, mono."""
        for chunk in self._voice.synthesize(text, self._configuration(length_scale=self._voice.config.length_scale / speed)):
            yield chunk.audio_int16_bytes

    def warm_up(self) -> str:
        """Speaks a sentence and hears it. The first of everything is slow."""
        recording = self.wave("Hello, how are you today?", 1, lambda: False)
        return "".join(segment["text"] for segment in self.transcribe(recording, None, lambda: False)).strip()

    def wave(self, text: str, speed: float, is_gone) -> bytes:
        file = io.BytesIO()
        with wave.open(file, "wb") as output:
            output.setparams((1, 2, self.sample_rate, 0, "NONE", ""))
            for samples in self.speak(text, speed):
                if is_gone():
                    raise Gone
                output.writeframes(samples)
        return file.getvalue()

    def watch(self):
        """Ends the program when a request does not end: the box starts it again."""
        while True:
            time.sleep(1)
            for line in (self.hearing, self.speaking):
                since = line.since
                if since is not None and time.monotonic() - since > WORKING_LIMIT:
                    print(f"a request has not ended within {WORKING_LIMIT} s", file=sys.stderr, flush=True)
                    os._exit(75)


class Refusal(Exception):
    def __init__(self, status: int, message: str):
        self.status, self.message = status, message


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # In seconds, for each read and write.
    timeout = 30
    engines: Engines

    def log_message(self, *arguments):
        pass

    def address_string(self):
        return "box"

    def do_GET(self):
        if self.path == "/health":
            self.reply({"status": "ok"})
        elif self.path == "/v1/models":
            self.reply({"object": "list", "data": [{"id": "whisper-1"}, {"id": "tts-1"}]})
        else:
            self.refuse(404, "Not found")

    def do_POST(self):
        calls = {
            "/v1/audio/transcriptions": (self.transcribe, MAXIMUM_RECORDING), "/v1/audio/speech": (self.speak, MAXIMUM_TEXT * 6),
        }
        call, limit = calls.get(self.path, (None, 0))
        try:
            if call is None:
                raise Refusal(404, "Not found")
            call(self.body(limit))
        except Refusal as refusal:
            self.refuse(refusal.status, refusal.message)
        except Busy:
            self.refuse(503, "Too many learners are speaking at once", {"Retry-After": "2"})
        except (Gone, ConnectionError, TimeoutError):
            self.close_connection = True
        except MemoryError:
            # What is left of it may not suffice for the next request.
            print("the memory limit is reached", file=sys.stderr, flush=True)
            os._exit(71)

    def body(self, limit: int) -> bytes:
        try:
            length = int(self.headers.get("Content-Length", ""))
        except ValueError:
            length = -1
        # The rest of a body that is not read would be taken for the next request.
        self.close_connection = True
        if length < 0:
            raise Refusal(411, "Content-Length is missing")
        if length > limit:
            raise Refusal(413, f"The body has {length} bytes; at most {limit} are accepted")
        body = self.rfile.read(length)
        if len(body) < length:
            raise Gone
        self.close_connection = False
        return body

    def is_gone(self) -> bool:
        """True once the client has closed its connection: it sends nothing before it has the reply."""
        try:
            # A read waits for as long as `timeout`, also one that must not.
            ready, _, _ = select.select([self.connection], [], [], 0)
            return bool(ready) and self.connection.recv(1, socket.MSG_PEEK) == b""
        except (OSError, ValueError):
            return True

    def transcribe(self, body: bytes):
        head = f"Content-Type: {self.headers.get('Content-Type', '')}\r\n\r\n".encode("latin-1", "replace")
        form = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + body)
        fields = {}
        for part in form.iter_parts() if form.is_multipart() else ():
            name = part.get_param("name", header="Content-Disposition")
            fields[name] = part.get_payload(decode=True) or b""
        recording = fields.get("file")
        if not recording:
            raise Refusal(400, "The form has no field 'file'")
        prompt = fields.get("prompt", b"").decode("utf-8", "replace")[:1_000]
        with self.engines.hearing.turn(self.is_gone):
            try:
                segments = self.engines.transcribe(recording, prompt, self.is_gone)
            except (Gone, MemoryError):
                raise
            except Exception as error:
                raise Refusal(400, f"The recording cannot be read: {type(error).__name__}: {error}") from error
        text = "".join(segment["text"] for segment in segments).strip()
        detailed = fields.get("response_format", b"").strip() == b"verbose_json"
        self.reply({"text": text, "segments": segments} if detailed else {"text": text})

    def speak(self, body: bytes):
        try:
            request = json.loads(body)
            text, format, speed = request["input"], request.get("response_format", "wav"), float(request.get("speed", 1))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise Refusal(400, "The body is not an object with 'input'") from error
        if not isinstance(text, str) or len(text) > MAXIMUM_TEXT:
            raise Refusal(400, f"'input' is not a text of at most {MAXIMUM_TEXT} characters")
        if format not in ("pcm", "wav"):
            raise Refusal(400, "'response_format' is neither pcm nor wav")
        if not 0.25 <= speed <= 4:
            raise Refusal(400, "'speed' is not a number from 0.25 to 4")
        with self.engines.speaking.turn(self.is_gone):
            if format == "wav":
                return self.reply(self.engines.wave(text, speed, self.is_gone), kind="audio/wav")
            self.send_response(200)
            self.send_header("Content-Type", f"audio/pcm;rate={self.engines.sample_rate}")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for samples in self.engines.speak(text, speed):
                if samples:
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(samples), samples))
                    self.wfile.flush()
            self.wfile.write(b"0\r\n\r\n")

    def reply(self, body, status: int = 200, headers: dict = {}, kind: str = "application/json"):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in ({"Content-Type": kind, "Content-Length": str(len(data))} | headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def refuse(self, status: int, message: str, headers: dict = {}):
        with contextlib.suppress(OSError):
            self.reply({"error": {"message": message}}, status, headers)


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    request_queue_size = MAXIMUM_CONNECTIONS
    _free = threading.Semaphore(MAXIMUM_CONNECTIONS)

    def process_request_thread(self, request, client):
        try:
            super().process_request_thread(request, client)
        finally:
            self._free.release()

    def process_request(self, request, client):
        if not self._free.acquire(blocking=False):
            return self.shutdown_request(request)
        super().process_request(request, client)

    def handle_error(self, request, client):
        # A client that has gone is none.
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--whisper", type=pathlib.Path, required=True)
    parser.add_argument("--voice", type=pathlib.Path, required=True)
    parser.add_argument("--socket", type=pathlib.Path)
    parser.add_argument("--threads", type=int, default=min(4, len(os.sched_getaffinity(0))))
    parser.add_argument("--try", action="store_true", dest="tries")
    options = parser.parse_args()
    if options.socket:
        end_with_the_box()
    limit_resources(options.threads, memory_limit(options.whisper))
    engines = Engines(options.whisper, options.voice, options.threads)
    heard = engines.warm_up()
    if options.tries:
        print(heard)
        return
    if not options.socket:
        parser.error("--socket is missing")
    os.umask(0o077)
    options.socket.unlink(missing_ok=True)
    Handler.engines = engines
    server = Server(str(options.socket), Handler)
    threading.Thread(target=engines.watch, daemon=True).start()
    print("Ready", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
