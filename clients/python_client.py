"""Drives Greenroom with the official Python client, as a user's own program would.

    python_client.py --mode auto --site http://127.0.0.1:8000 --url http://localhost:34501/mcp
    python_client.py --mode legacy --site http://127.0.0.1:8000 --command greenroom stdio

Each check prints a line; the first that fails ends the run with its reason and exit code 1. The
pages come from --site, where /named?name=x has the heading "This is x".
"""

import argparse
import asyncio
import os
import sys
from collections.abc import Awaitable, Callable

from mcp import Client, MCPError, StdioServerParameters
from mcp.types import CallToolResult, TextContent

MODERN = "2026-07-28"
LEGACY = "2025-11-25"
# Longer than any call takes on a busy machine, so that nothing can hang.
PATIENCE_SECONDS = 60

UPSTREAM_TOOLS = """
    browser_click browser_close browser_console_messages browser_drag browser_drop
    browser_emulate_media browser_evaluate browser_file_upload browser_fill_form browser_find
    browser_handle_dialog browser_hover browser_navigate browser_navigate_back
    browser_network_request browser_network_requests browser_press_key browser_resize
    browser_run_code_unsafe browser_select_option browser_snapshot browser_tabs
    browser_take_screenshot browser_type browser_wait_for
""".split()
OWN_TOOLS = """
    browser_execute_bulk browser_pool_status close_session create_new_session get_console_content
    get_content list_sessions
""".split()


class CheckFailed(Exception):
    """What Greenroom should have done and did not."""


def check(holds: bool, otherwise: object) -> None:
    if not holds:
        raise CheckFailed(otherwise)


def text_of(result: CallToolResult) -> str:
    return "\n".join(block.text for block in result.content if isinstance(block, TextContent))


def session_of(result: CallToolResult) -> str:
    """The session a call ran in, which metadata and text must both say."""
    session = (result.meta or {}).get("greenroom/session_id")
    check(isinstance(session, str), f"no session in the metadata: {result}")
    check(session in text_of(result), f"the text does not name session {session}: {text_of(result)}")
    return session


class Run:
    """One connected client and what its checks share."""

    def __init__(self, client: Client, modern: bool, over_http: bool, site: str) -> None:
        self.client = client
        self.modern = modern
        # Only here does no connection stand for the caller, so that each call names its session.
        self.stateless = modern and over_http
        self.site = site

    def page(self, name: str) -> str:
        return f"{self.site}/named?name={name}"

    async def call(self, tool: str, **arguments: object) -> CallToolResult:
        result = await self.client.call_tool(tool, arguments)
        check(not result.is_error, f"{tool} failed: {text_of(result)}")
        return result

    async def refused(self, tool: str, **arguments: object) -> str:
        result = await self.client.call_tool(tool, arguments)
        check(bool(result.is_error), f"{tool} should have failed: {text_of(result)}")
        return text_of(result)

    async def introduces_itself(self) -> None:
        version = self.client.protocol_version
        check(version == (MODERN if self.modern else LEGACY), f"negotiated {version}")
        info = self.client.server_info
        check(info is not None and info.name == "greenroom", f"server is {info}")
        check("session_id" in (self.client.instructions or ""), f"instructions: {self.client.instructions}")

    async def lists_every_tool_once(self) -> None:
        names: list[str] = []
        cursor = None
        while True:
            listed = await self.client.list_tools(cursor=cursor)
            names += [tool.name for tool in listed.tools]
            cursor = listed.next_cursor
            if cursor is None:
                break
        check(sorted(names) == sorted(UPSTREAM_TOOLS + OWN_TOOLS), f"listed {sorted(names)}")

    async def keeps_a_page_between_calls(self) -> None:
        opened = await self.call("browser_navigate", url=self.page("first"))
        session = session_of(opened)
        address = {"session_id": session} if self.stateless else {}
        seen = await self.call("browser_snapshot", **address)
        check('heading "This is first"' in text_of(seen), text_of(seen))
        check(session_of(seen) == session, f"opened in {session}, seen in {session_of(seen)}")
        await self.call("close_session", session_id=session)

    async def explains_a_missing_session(self) -> None:
        text = await self.refused("browser_snapshot")
        check("session_id is needed" in text, text)

    async def keeps_two_sessions_apart(self) -> None:
        created = await self.call("create_new_session", label="from Python")
        sessions = {"ours": "named-by-python", "theirs": created.structured_content["session_id"]}
        for name, session in sessions.items():
            await self.call("browser_navigate", url=self.page(name), session_id=session)
        for name, session in sessions.items():
            seen = await self.call("browser_snapshot", session_id=session)
            check(f'heading "This is {name}"' in text_of(seen), text_of(seen))
            check(session_of(seen) == session, f"{session} ran in {session_of(seen)}")
        listed = (await self.call("list_sessions")).structured_content["sessions"]
        check(set(sessions.values()) <= {entry["session_id"] for entry in listed}, listed)
        for session in sessions.values():
            await self.call("close_session", session_id=session)

    async def runs_bulk_with_progress(self) -> None:
        steps: list[tuple[float, float | None]] = []

        async def on_progress(done: float, total: float | None, _message: str | None) -> None:
            steps.append((done, total))

        commands = [
            {"tool": "browser_navigate", "args": {"url": self.page("bulk")}},
            {"tool": "browser_snapshot", "return_result": True},
        ]
        arguments = {"commands": commands, "session_id": "bulk"}
        result = await self.client.call_tool("browser_execute_bulk", arguments, progress_callback=on_progress)
        data = result.structured_content
        check(not result.is_error and data["completed"] == 2, text_of(result))
        check("result" not in data["results"][0], "the first command's result was not asked for")
        snapshot = data["results"][1]["result"]["content"]
        check(any("This is bulk" in block.get("text", "") for block in snapshot), snapshot)
        # One for each command. Before them may come news of waiting, which knows no total.
        counted = [done for done, total in steps if total == 2]
        check(len(counted) == 2 and counted[0] < counted[1] <= 2, f"progress was {steps}")

    async def reports_what_a_bulk_did_not_run(self) -> None:
        commands = [
            {"tool": "browser_click", "args": {"target": "e99999"}},
            {"tool": "browser_snapshot"},
        ]
        arguments = {"commands": commands, "session_id": "bulk"}
        result = await self.client.call_tool("browser_execute_bulk", arguments)
        data = result.structured_content
        check(bool(result.is_error), text_of(result))
        check((data["failed"], data["not_run"]) == (1, 1), data)
        await self.call("close_session", session_id="bulk")

    async def answers_mistakes_with_a_way_on(self) -> None:
        text = await self.refused("browser_navigate", url="file:///etc/passwd")
        check("file:" in text, text)
        text = await self.refused("browser_snapshot", browser_pool="NOPE")
        check("'NOPE'" in text, text)
        try:
            await self.client.call_tool("browser_navigat", {})
        except MCPError as error:
            check("did you mean 'browser_navigate'" in str(error), error)
        else:
            raise CheckFailed("an unknown tool is an error of the protocol")

    async def shows_its_pools(self) -> None:
        # The client validates the answer against the output schema of the tool.
        status = (await self.call("browser_pool_status")).structured_content
        check(status["summary"]["healthy_instances"] >= 1, status)

    def checks(self) -> list[Callable[[], Awaitable[None]]]:
        return [
            self.introduces_itself,
            self.lists_every_tool_once,
            *([self.explains_a_missing_session] if self.stateless else []),
            self.keeps_a_page_between_calls,
            self.keeps_two_sessions_apart,
            self.runs_bulk_with_progress,
            self.reports_what_a_bulk_did_not_run,
            self.answers_mistakes_with_a_way_on,
            self.shows_its_pools,
        ]


def server_of(options: argparse.Namespace) -> str | StdioServerParameters:
    if options.url:
        return options.url
    command, *arguments = options.command
    return StdioServerParameters(command=command, args=arguments, env=dict(os.environ))


async def drive(options: argparse.Namespace) -> int:
    client = Client(server_of(options), mode=options.mode, read_timeout_seconds=PATIENCE_SECONDS)
    async with client:
        run = Run(client, options.mode != "legacy", bool(options.url), options.site)
        for step in run.checks():
            name = step.__name__.replace("_", " ")
            # Caught here: further out the client has wrapped it in groups of exceptions.
            try:
                await step()
            except CheckFailed as failure:
                print("FAILED", name, failure, sep=": ", file=sys.stderr)
                return 1
            print("ok", name, flush=True)
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mode", choices=("auto", "legacy"), required=True)
    parser.add_argument("--site", required=True, help="where the pages are")
    server = parser.add_mutually_exclusive_group(required=True)
    server.add_argument("--url", help="a server over HTTP")
    server.add_argument("--command", nargs=argparse.REMAINDER, help="a server over stdio; comes last")
    return asyncio.run(drive(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
