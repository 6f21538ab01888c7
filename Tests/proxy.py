"""A TCP proxy between a page and a server, for tests to break, delay and stall."""

import asyncio
import threading
from urllib.parse import urlsplit, urlunsplit


class Proxy:
    """Forwards a loopback port to a server."""

    def __init__(self, address: str):
        self._port = urlsplit(address).port
        # Delay in seconds, each way.
        self.delay = 0.0
        # Drop what the server sends, or what the page sends. A stream with such a gap is only good to be cut.
        self.drops_replies = False
        self.drops_events = False
        # The number of reads that were dropped.
        self.drop_count = 0
        self._is_cut = False
        # The gates that data passes: one for the connections of each time between two stalls.
        self._gates = [asyncio.Event()]
        self._gates[-1].set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = self._run(asyncio.start_server(self._serve, "localhost", 0))
        port = self._server.sockets[0].getsockname()[1]
        self.address = urlunsplit(urlsplit(address)._replace(netloc=f"localhost:{port}"))

    def lead_to(self, address: str):
        """Forwards later connections to the server at `address`."""
        self._port = urlsplit(address).port

    def cut(self):
        """Breaks every connection, and refuses new ones until `mend`."""
        self._run(self._cut())

    def mend(self):
        self._is_cut = self.drops_replies = self.drops_events = False

    def stall(self):
        """Holds back all data of the present connections, both ways, until `flow`. Later connections are not affected."""
        self._loop.call_soon_threadsafe(self._gates[-1].clear)
        self._gates.append(asyncio.Event())
        self._loop.call_soon_threadsafe(self._gates[-1].set)

    def flow(self):
        """Delivers the delayed bytes."""
        for gate in self._gates:
            self._loop.call_soon_threadsafe(gate.set)

    def reset(self, address: str):
        """Breaks every connection, and is as it was at first."""
        self.cut()
        self.flow()
        self.lead_to(address)
        self.delay = 0.0
        self.drop_count = 0
        self.mend()

    def close(self):
        self._run(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, work):
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _cut(self):
        self._is_cut = True
        for writer in self._writers:
            writer.transport.abort()

    async def _end(self):
        self._server.close()
        await self._cut()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, page, to_page):
        if self._is_cut:
            return to_page.transport.abort()
        try:
            server, to_server = await asyncio.open_connection("localhost", self._port)
        except ConnectionError:
            return to_page.transport.abort()
        both = {to_page, to_server}
        gate = self._gates[-1]
        self._writers |= both
        await asyncio.gather(
            self._forward(page, to_server, gate, lambda: self.drops_events),
            self._forward(server, to_page, gate, lambda: self.drops_replies))
        self._writers -= both

    async def _forward(self, reader, writer, gate, drops):
        try:
            while data := await reader.read(65_536):
                await gate.wait()
                if drops():
                    self.drop_count += 1
                else:
                    self._loop.call_later(self.delay, writer.write, data)
        except ConnectionError:
            pass
        self._loop.call_later(self.delay, writer.close)
