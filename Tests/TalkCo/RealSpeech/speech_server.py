"""faster-whisper and Piper behind OpenAI's interface, for tests with real speech.

    speech_server.py --whisper FOLDER --voice FILE.onnx [--port 0]

`POST /v1/audio/transcriptions` and `POST /v1/audio/speech`. The first line on standard output is `Listening on http://localhost:PORT`.
The formats `wav` and `pcm` (at the voice's own rate) come from Piper itself, the others from ffmpeg.
"""

import argparse
import email.parser
import email.policy
import io
import json
import pathlib
import subprocess
import threading
import wave
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from faster_whisper import WhisperModel
from piper import PiperVoice

FFMPEG = {
    "mp3": ("audio/mpeg", ["-f", "mp3"]), "opus": ("audio/ogg", ["-c:a", "libopus", "-f", "ogg"]),
    "aac": ("audio/aac", ["-f", "adts"]), "flac": ("audio/flac", ["-f", "flac"]),
    "webm": ("audio/webm", ["-c:a", "libopus", "-f", "webm"]),
    "m4a": ("audio/mp4", ["-c:a", "aac", "-f", "ipod", "-movflags", "frag_keyframe+empty_moov"]),
}


class Programs:
    def __init__(self, whisper: pathlib.Path, voice: pathlib.Path):
        self.whisper = WhisperModel(str(whisper), device="cpu", compute_type="int8", cpu_threads=2)
        self.voice = PiperVoice.load(str(voice))
        # One at a time: tests share two cores.
        self.lock = threading.Lock()

    def transcribe(self, file: bytes) -> str:
        with self.lock:
            # No filter for voices: what Whisper makes of silence and noise is part of the tests.
            segments, _ = self.whisper.transcribe(
                io.BytesIO(file), language="en", beam_size=1, vad_filter=False, condition_on_previous_text=False)
            return "".join(segment.text for segment in segments)

    def speak(self, text: str) -> bytes:
        with self.lock:
            file = io.BytesIO()
            with wave.open(file, "wb") as output:
                self.voice.synthesize_wav(text, output)
            return file.getvalue()


class Handler(BaseHTTPRequestHandler):
    programs: Programs

    def log_message(self, *arguments):
        pass

    def reply(self, status: int, body: bytes, kind: str = "application/json"):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def refuse(self, status: int, message: str):
        self.reply(status, json.dumps({"error": {"message": message}}).encode())

    def do_GET(self):
        if self.path != "/v1/models":
            return self.refuse(404, "Not found")
        self.reply(200, json.dumps({"object": "list", "data": [{"id": "whisper-1"}, {"id": "tts-1"}]}).encode())

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/v1/audio/transcriptions":
            return self.transcribe(body)
        if self.path == "/v1/audio/speech":
            return self.speak(json.loads(body))
        self.refuse(404, "Not found")

    def transcribe(self, body: bytes):
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        form = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + body)
        file = next((part for part in form.iter_parts() if part.get_param("name", header="Content-Disposition") == "file"), None)
        if file is None:
            return self.refuse(400, "no 'file' field in the request")
        self.reply(200, json.dumps({"text": self.programs.transcribe(file.get_payload(decode=True))}).encode())

    def speak(self, request: dict):
        speech = self.programs.speak(request["input"])
        format = request.get("response_format", "mp3")
        if format == "wav":
            return self.reply(200, speech, "audio/wav")
        if format == "pcm":
            with wave.open(io.BytesIO(speech)) as file:
                return self.reply(200, file.readframes(file.getnframes()), f"audio/pcm;rate={file.getframerate()}")
        if format not in FFMPEG:
            return self.refuse(400, f"unknown format {format}")
        kind, options = FFMPEG[format]
        command = ["ffmpeg", "-v", "error", "-i", "pipe:0", *options, "pipe:1"]
        self.reply(200, subprocess.run(command, input=speech, stdout=subprocess.PIPE, check=True).stdout, kind)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--whisper", type=pathlib.Path, required=True)
    parser.add_argument("--voice", type=pathlib.Path, required=True)
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    Handler.programs = Programs(options.whisper, options.voice)
    server = ThreadingHTTPServer(("127.0.0.1", options.port), Handler)
    print(f"Listening on http://localhost:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
