"""The line between a page and its program, for tests to cut, mend and slow down."""

import asyncio
import threading
from urllib.parse import urlsplit, urlunsplit


class Line:
    """A TCP proxy on a port of its own. What a page and a program say passes through it, both ways."""

    def __init__(self, address: str):
        self.lead_to(address)
        # Seconds that everything takes, each way.
        self.delay = 0.0
        # While set, what the program says is lost, or what the page says. A stream with such a gap is only good to be cut.
        self.loses_answers = False
        self.loses_events = False
        # How much was lost that way, in pieces.
        self.losses = 0
        self._is_cut = False
        # Whether data flows: one for the connections of each time between two stalls.
        self._flows = [asyncio.Event()]
        self._flows[-1].set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = self._do(asyncio.start_server(self._serve, "localhost", 0))
        port = self._server.sockets[0].getsockname()[1]
        self.address = urlunsplit(urlsplit(address)._replace(netloc=f"localhost:{port}"))

    def lead_to(self, address: str):
        """Connections that are made from now on lead to the program at `address`."""
        self._port = urlsplit(address).port

    def cut(self):
        """Breaks every connection, and refuses new ones until the line is mended."""
        self._do(self._cut())

    def mend(self):
        self._is_cut = self.loses_answers = self.loses_events = False

    def stall(self):
        """Holds up what is said on every connection there is, both ways, until `flow`. Later connections are not held up."""
        self._loop.call_soon_threadsafe(self._flows[-1].clear)
        self._flows.append(asyncio.Event())
        self._loop.call_soon_threadsafe(self._flows[-1].set)

    def flow(self):
        """Lets what was held up arrive."""
        for flow in self._flows:
            self._loop.call_soon_threadsafe(flow.set)

    def close(self):
        self._do(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _do(self, work):
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
            program, to_program = await asyncio.open_connection("localhost", self._port)
        except ConnectionError:
            return to_page.transport.abort()
        both = {to_page, to_program}
        flow = self._flows[-1]
        self._writers |= both
        await asyncio.gather(
            self._carry(page, to_program, flow, lambda: self.loses_events),
            self._carry(program, to_page, flow, lambda: self.loses_answers))
        self._writers -= both

    async def _carry(self, reader, writer, flow, loses):
        try:
            while data := await reader.read(65_536):
                await flow.wait()
                if loses():
                    self.losses += 1
                else:
                    self._loop.call_later(self.delay, writer.write, data)
        except ConnectionError:
            pass
        self._loop.call_later(self.delay, writer.close)
