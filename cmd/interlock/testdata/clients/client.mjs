// An agent's side of MCP, with the official TypeScript SDK. It connects as its
// first argument says, then carries out one request a line from standard input
// and prints one answer a line:
//
//	{"op": "list"}                                  the names of the tools
//	{"op": "call", "name": …, "args": {…}}          the result of a call
//	{"op": "elicit", "answer": {"action": …}}       what a person will answer
//	{"op": "asked"}                                 what he was asked so far
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(process.env.INTERLOCK_TESTENV + '/');
const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');
const { StreamableHTTPClientTransport } = require('@modelcontextprotocol/sdk/client/streamableHttp.js');
const { ElicitRequestSchema } = require('@modelcontextprotocol/sdk/types.js');

const how = JSON.parse(process.argv[2]);
const asked = [];
let answer = { action: 'decline' };

const capabilities = how.elicit ? { elicitation: {} } : {};
const client = new Client({ name: 'interlock-test', version: '1' }, { capabilities });
if (how.elicit) {
  client.setRequestHandler(ElicitRequestSchema, async (request) => {
    asked.push(request.params.message);
    return answer;
  });
}

function transport() {
  if (how.url) {
    return new StreamableHTTPClientTransport(new URL(how.url), { requestInit: { headers: how.headers ?? {} } });
  }
  return new StdioClientTransport({ command: how.command[0], args: how.command.slice(1), env: { ...process.env, ...how.env } });
}

const ops = {
  list: async () => (await client.listTools()).tools.map((tool) => tool.name),
  call: (request) => client.callTool({ name: request.name, arguments: request.args }),
  elicit: async (request) => { answer = request.answer; },
  asked: async () => asked,
};

await client.connect(transport());
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  let out;
  try {
    out = { ok: (await ops[request.op](request)) ?? null };
  } catch (error) {
    out = { error: String(error) };
  }
  console.log(JSON.stringify(out));
}
await client.close();
