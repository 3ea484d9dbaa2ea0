"""An agent's side of MCP, with the official Python SDK: the same requests and
answers a line as client.mjs. `mode` chooses the era of the protocol."""

import asyncio
import json
import sys

import mcp_types as types
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters

how = json.loads(sys.argv[1])
asked = []
answer = {"action": "decline"}


async def elicit(_context, params):
    asked.append(params.message)
    return types.ElicitResult(**answer)


def server():
    if "url" in how:
        return how["url"]
    return StdioServerParameters(command=how["command"][0], args=how["command"][1:], env=how.get("env"))


async def carry_out(client, request):
    global answer
    match request["op"]:
        case "list":
            return [tool.name for tool in (await client.list_tools()).tools]
        case "call":
            result = await client.call_tool(request["name"], request["args"])
            return json.loads(result.model_dump_json(by_alias=True, exclude_none=True))
        case "elicit":
            answer = request["answer"]
        case "asked":
            return asked


async def main():
    callback = elicit if how.get("elicit") else None
    async with Client(server(), mode=how.get("mode", "auto"), elicitation_callback=callback) as client:
        while line := await asyncio.to_thread(sys.stdin.readline):
            try:
                out = {"ok": await carry_out(client, json.loads(line))}
            except Exception as error:  # told to the test, which judges it
                out = {"error": f"{type(error).__name__}: {error}"}
            print(json.dumps(out), flush=True)


asyncio.run(main())
