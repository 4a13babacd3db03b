"""Several agents, each with a page of its own, over one running `greenroom serve`.

pip install 'mcp>=2', then: python3 python_client.py [URL [PAGE ...]]
"""

import asyncio
import sys

from mcp import Client

URL = "http://localhost:34501/mcp"
PAGES = ["https://example.com/", "https://example.org/"]


async def call(client: Client, tool: str, **arguments):
    answer = await client.call_tool(tool, arguments)
    if answer.is_error:
        raise RuntimeError(answer.content[0].text)
    return answer


async def visit(client: Client, page: str) -> str:
    # The first call opens a session, and its answer says which: calls that pass the id on see the
    # same page, and nobody else does.
    opened = await call(client, "browser_navigate", url=page)
    session = opened.meta["greenroom/session_id"]
    title = await call(
        client, "browser_evaluate", function="() => document.title", session_id=session
    )
    await call(client, "close_session", session_id=session)
    return title.content[0].text


async def main(url: str, pages: list[str]) -> None:
    async with Client(url) as client:
        status = await call(client, "browser_pool_status")
        for pool in status.structured_content["pools"]:
            free, total = pool["available_instances"], pool["total_instances"]
            print(f"{pool['name']}: {free} of {total} free. {pool['description']}")
        for text in await asyncio.gather(*(visit(client, page) for page in pages)):
            print(text)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:2] or [URL], sys.argv[2:] or PAGES))
